/** The processor time of this process, which excludes others on a busy machine. */
export const processorMs = (): number => process.cpuUsage().user / 1000;
