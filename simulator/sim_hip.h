/* sim_hip.h - what the files with HIP's entry points share: the thread's last error. */
#ifndef SIM_HIP_H
#define SIM_HIP_H

/* Keeps an error for hipGetLastError, and returns it. */
int sim_hip_result(int error);

#endif
