import fc from 'fast-check';

// A run tries the same values tomorrow, so that what fails is what was changed. Another seed looks elsewhere:
// FC_SEED=$RANDOM bun test
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_121) });
