import fc from 'fast-check';

// A run tests the same values every day, so that a failure comes from a change. Another seed tests others:
// FC_SEED=$RANDOM bun test
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_121) });
