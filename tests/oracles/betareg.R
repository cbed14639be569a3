# How the reference fits beside this script are made.
#
#   Rscript tests/oracles/betareg.R NAME [FORMULA]
#
# reads NAME.csv from this folder (columns y, race, gender; 0 is the reference level) and writes
# NAME.json: betareg's coefficients, expected-information standard errors and covariance, precision,
# log-likelihood, observed-information standard errors, and means and contrasts on the response scale
# with delta-method standard errors. The files in this folder came from R 4.2.2 with betareg 3.2-3.
# With a column `person`, clustered standard errors (CR0, CR1) are added by sandwich.

suppressPackageStartupMessages({
  library(betareg)
  library(jsonlite)
})

arguments <- commandArgs(trailingOnly = TRUE)
name <- arguments[1]
formula <- as.formula(if (length(arguments) > 1) arguments[2] else "y ~ race * gender")
script <- sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE))
folder <- dirname(normalizePath(script))
data <- read.csv(file.path(folder, paste0(name, ".csv")))

# Fisher scoring after BFGS brings the score to about 1e-12.
control <- betareg.control(fstol = 1e-14, fsmaxit = 1000, reltol = 1e-16)
fit <- tryCatch(
  betareg(formula, data = data, link = "logit", link.phi = "identity", control = control),
  error = function(e) e
)

if (inherits(fit, "error")) {
  out <- list(name = name, formula = deparse(formula), n = nrow(data), error = conditionMessage(fit))
} else {
  p <- length(coef(fit, model = "mean"))
  se <- sqrt(diag(vcov(fit)))
  observed <- update(fit, control = betareg.control(fstol = 1e-14, fsmaxit = 1000, hessian = TRUE))
  cells <- expand.grid(race = 0:1, gender = 0:1)
  response <- function(beta) {
    x <- model.matrix(delete.response(terms(fit)), cells)
    m <- plogis(drop(x %*% beta))
    observed_at <- function(race, gender) {
      d <- data
      if (!is.null(race)) d$race <- race
      if (!is.null(gender)) d$gender <- gender
      mean(plogis(drop(model.matrix(delete.response(terms(fit)), d) %*% beta)))
    }
    c(m,
      observed_at(1, NULL) - observed_at(0, NULL),
      observed_at(NULL, 1) - observed_at(NULL, 0),
      m[4] - m[3] - m[2] + m[1], m[2] - m[1], m[4] - m[3])
  }
  beta <- coef(fit, model = "mean")
  jacobian <- numDeriv::jacobian(response, beta)
  labels <- c("mean[race=0,gender=0]", "mean[race=1,gender=0]", "mean[race=0,gender=1]", "mean[race=1,gender=1]",
              "ame_race[1-0]", "ame_gender[1-0]", "int[race=1,gender=1]",
              "simple_race[1-0|gender=0]", "simple_race[1-0|gender=1]")
  scale_se <- sqrt(diag(jacobian %*% vcov(fit)[1:p, 1:p] %*% t(jacobian)))
  out <- list(
    name = name, formula = deparse(formula), n = nrow(data),
    software = paste("betareg", packageVersion("betareg"), R.version.string),
    fit = list(
      coefficients = as.list(beta), se = as.list(se[1:p]), phi = unname(coef(fit)[p + 1]),
      se_phi = unname(se[p + 1]), loglik = as.numeric(logLik(fit)), vcov = unname(vcov(fit))
    ),
    se_observed_information = as.list(sqrt(diag(vcov(observed)))),
    response_scale = list(
      estimate = setNames(as.list(response(beta)), labels),
      se = setNames(as.list(scale_se), labels)
    )
  )
  if ("person" %in% names(data)) {
    clustered <- function(adjust) sqrt(diag(sandwich::vcovCL(fit, data$person, type = "HC0", cadjust = adjust)))
    out$se_CR0_person <- as.list(clustered(FALSE))
    out$se_CR1_person <- as.list(clustered(TRUE))
  }
}
write_json(out, file.path(folder, paste0(name, ".json")), digits = 15, auto_unbox = TRUE, pretty = TRUE)
