# How the mixed models beside this script are fitted.
#
#   Rscript tests/oracles/lmer.R
#
# reads NAME.csv for each NAME below from this folder and writes lmer.json: effect, standard error, Satterthwaite's
# degrees of freedom, t and p of lmerTest for the terms race, gender and race:gender, sum coded so that effects are
# differences of equally weighted cell means. The file came from R 4.2.2 with lme4 1.1-31 and lmerTest 3.1-3.
#
# The models have what the default test takes as samples: names, and for sentences what groups do to templates, to
# words and to items (random slopes of the groups, as each contrast by itself), with items as fixed effects, since what
# all groups share cancels.

suppressPackageStartupMessages({
  library(lmerTest)
  library(jsonlite)
})

script <- sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE))
folder <- dirname(normalizePath(script))

read <- function(name) {
  data <- read.csv(file.path(folder, paste0(name, ".csv")))
  if (!"y" %in% names(data)) data$y <- data$score
  for (axis in c("race", "gender")) {
    levels <- sort(unique(data[[axis]]))
    # The first level in the alphabet is not always the reference: gender is female minus male.
    reference <- if (is.numeric(data[[axis]])) levels[1] else if (axis == "gender") "male" else levels[1]
    data[[axis]] <- ifelse(data[[axis]] == reference, -0.5, 0.5)
  }
  data$both <- data$race * data$gender
  data$name <- interaction(data$race, data$gender, data$person, drop = TRUE)
  data$item <- factor(data$item)
  data
}

slopes <- function(facet) {
  paste0("(0 + ", c("race", "gender", "both"), " | ", facet, ")", collapse = " + ")
}

models <- list(
  syn_crossed_balanced = paste("y ~ item + race + gender + both + (1 | name) +", slopes("item")),
  syn_crossed_slope = paste("y ~ item + race + gender + both + (1 | name) +", slopes("item")),
  facets_2x2 = paste("y ~ item + race + gender + both + (1 | name) +", slopes("template"), "+", slopes("word")),
  facets_balanced = paste(
    "y ~ item + race + gender + both + (1 | name) + (1 | name:template) +", slopes("template"), "+", slopes("word")
  )
)

fitted <- lapply(names(models), function(name) {
  fit <- suppressMessages(lmer(
    as.formula(models[[name]]),
    data = read(name),
    control = lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9, maxfun = 1e5))
  ))
  found <- summary(fit)$coefficients[c("race", "gender", "both"), ]
  rownames(found) <- c("race", "gender", "race:gender")
  terms <- lapply(rownames(found), function(term) {
    row <- found[term, ]
    list(effect = row[["Estimate"]], se = row[["Std. Error"]], df = row[["df"]], t = row[["t value"]], p = row[["Pr(>|t|)"]])
  })
  names(terms) <- rownames(found)
  list(model = models[[name]], singular = isSingular(fit), terms = terms)
})
names(fitted) <- names(models)
writeLines(toJSON(fitted, auto_unbox = TRUE, digits = NA, pretty = TRUE), file.path(folder, "lmer.json"))
