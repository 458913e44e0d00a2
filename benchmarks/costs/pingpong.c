/* The yardstick of `python -m benchmarks transport`: two C processes exchange lines over pipes.
 *
 * Usage: pingpong ROUND_TRIPS. For each line on stdin it makes so many round trips, and prints the
 * processor time that both processes took for one, in nanoseconds. The lines are as long as a
 * request to shoot and its answer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST_BYTES = 160, ANSWER_BYTES = 60, BUFFER_BYTES = 4096 };

static void send_line(int fd, const char *line, int length)
{
    if (write(fd, line, (size_t)length) != length)
        exit(1);
}

static void receive_line(int fd)
{
    static char buffer[BUFFER_BYTES];
    int used = 0;
    do {
        ssize_t got = read(fd, buffer + used, (size_t)(BUFFER_BYTES - used));
        if (got <= 0)
            exit(0);
        used += (int)got;
    } while (buffer[used - 1] != '\n');
}

static double read_ns(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    long round_trips = argc > 1 ? atol(argv[1]) : 5000;
    char request[REQUEST_BYTES], answer[ANSWER_BYTES];
    int down[2], up[2], command;
    pid_t child;
    clockid_t childs;

    memset(request, 'x', sizeof request);
    memset(answer, 'y', sizeof answer);
    request[REQUEST_BYTES - 1] = answer[ANSWER_BYTES - 1] = '\n';
    if (pipe(down) || pipe(up))
        return 1;
    child = fork();
    if (child == 0) {
        close(down[1]);
        close(up[0]);
        for (;;) {
            receive_line(down[0]);
            send_line(up[1], answer, ANSWER_BYTES);
        }
    }
    close(down[0]);
    close(up[1]);
    if (child < 0 || clock_getcpuclockid(child, &childs))
        return 1;
    while ((command = getchar()) != EOF) {
        double before_ns;
        if (command != '\n')
            continue;
        before_ns = read_ns(CLOCK_PROCESS_CPUTIME_ID) + read_ns(childs);
        for (long done = 0; done < round_trips; done++) {
            send_line(down[1], request, REQUEST_BYTES);
            receive_line(up[0]);
        }
        before_ns = read_ns(CLOCK_PROCESS_CPUTIME_ID) + read_ns(childs) - before_ns;
        printf("%.1f\n", before_ns / (double)round_trips);
        fflush(stdout);
    }
    return 0;
}
