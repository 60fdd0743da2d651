a :: Queue((((([[{{"
