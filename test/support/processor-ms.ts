/** The processor time of this process, which does not count what others use of a busy machine. */
export const processorMs = (): number => process.cpuUsage().user / 1000;
