static int counter = 100;
static char buffer[10] = "b";
int common_variable;
extern int common_array[];
int old_style(int, int, double);
static int helper(void) { static int calls; return ++calls * 10 + counter + buffer[0]; }
int b_work(int n) { return helper() + n + common_variable++ + common_array[9] + old_style(1, 2, 3.0); }
unsigned long mismatched = 77;
int gnu_inline(int x) { return x + 1; }
