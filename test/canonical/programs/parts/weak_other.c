extern int weak_data;
int overridden(void);
int overridden(void) { return 100; }
int strong_data_user(void);
int strong_data_user(void) { return weak_data + 1; }
