# Prints the seconds one betareg fit takes: Rscript betareg_time.R rows.csv (columns y, race, gender).
suppressPackageStartupMessages(library(betareg))
data <- read.csv(commandArgs(trailingOnly = TRUE)[1])
times <- replicate(3, system.time(betareg(y ~ race * gender, data = data))[["elapsed"]])
cat(min(times))
