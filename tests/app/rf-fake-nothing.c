/* A library that loads and has nothing of what is looked for. */
int rf_fake_nothing (void);

int
rf_fake_nothing (void)
{
    return 0;
}
