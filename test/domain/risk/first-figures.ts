/**
 * Scores of CVSS 4.0 from FIRST's calculator: base vectors of the test data of its library, and of the
 * reference set of FIRST's own resources, in which E:A, CR:H, IR:H and AR:H have the meaning of a base score.
 */
export const CVSS_4_FIGURES: readonly (readonly [vector: string, score: number])[] = [
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:H/VA:L/SC:N/SI:H/SA:L', 9.2],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:L/VA:L/SC:H/SI:N/SA:L', 7.8],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:L/SA:N', 6.9],
  ['AV:N/AC:L/AT:N/PR:N/UI:P/VC:N/VI:N/VA:L/SC:L/SI:N/SA:L', 5.3],
  ['AV:N/AC:L/AT:N/PR:N/UI:A/VC:H/VI:H/VA:L/SC:N/SI:H/SA:N', 9.2],
  ['AV:N/AC:L/AT:N/PR:N/UI:A/VC:L/VI:L/VA:N/SC:N/SI:L/SA:L', 5.1],
  ['AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:N/VA:L/SC:N/SI:L/SA:N', 7.1],
  ['AV:N/AC:L/AT:N/PR:L/UI:A/VC:H/VI:H/VA:H/SC:H/SI:N/SA:H', 9.3],
  ['AV:N/AC:L/AT:N/PR:H/UI:P/VC:L/VI:L/VA:N/SC:L/SI:N/SA:N', 4.8],
  ['AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:N/SA:H', 9.5],
  ['AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:N/VA:N/SC:L/SI:L/SA:L', 8.2],
  ['AV:N/AC:L/AT:P/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:N/SA:N', 2.1],
  ['AV:N/AC:L/AT:P/PR:L/UI:N/VC:N/VI:N/VA:N/SC:N/SI:L/SA:N', 2.3],
  ['AV:N/AC:L/AT:P/PR:H/UI:P/VC:H/VI:H/VA:H/SC:L/SI:L/SA:H', 8.7],
  ['AV:N/AC:L/AT:P/PR:H/UI:A/VC:N/VI:L/VA:L/SC:L/SI:N/SA:N', 1.8],
  ['AV:N/AC:H/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:L/SI:H/SA:L', 9.4],
  ['AV:N/AC:H/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:L/SI:L/SA:H', 7],
  ['AV:N/AC:H/AT:N/PR:L/UI:P/VC:H/VI:H/VA:H/SC:H/SI:L/SA:H', 8.8],
  ['AV:N/AC:H/AT:N/PR:H/UI:A/VC:N/VI:N/VA:N/SC:N/SI:H/SA:N', 4],
  ['AV:N/AC:H/AT:P/PR:N/UI:N/VC:L/VI:L/VA:H/SC:L/SI:N/SA:N', 8.3],
  ['AV:P/AC:H/AT:N/PR:L/UI:A/VC:H/VI:H/VA:H/SC:N/SI:H/SA:L', 6.9],
  ['AV:P/AC:H/AT:N/PR:H/UI:N/VC:N/VI:N/VA:L/SC:N/SI:N/SA:N', 1],
  ['AV:P/AC:H/AT:N/PR:H/UI:A/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N', 0],
  ['AV:P/AC:H/AT:P/PR:N/UI:N/VC:H/VI:H/VA:H/SC:L/SI:N/SA:L', 5.4],
  ['AV:P/AC:H/AT:P/PR:N/UI:N/VC:H/VI:H/VA:N/SC:H/SI:H/SA:H', 7.2],
  ['AV:P/AC:H/AT:P/PR:H/UI:A/VC:L/VI:L/VA:L/SC:L/SI:H/SA:H', 2.3],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/E:A/CR:H/IR:H/AR:H', 10],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:L/SI:L/SA:L/E:A/CR:H/IR:H/AR:H', 9.3],
  ['AV:N/AC:L/AT:P/PR:N/UI:N/VC:L/VI:H/VA:H/SC:L/SI:L/SA:L/E:A/CR:H/IR:H/AR:H', 8.4],
  ['AV:N/AC:L/AT:P/PR:N/UI:N/VC:L/VI:L/VA:L/SC:L/SI:L/SA:L/E:A/CR:H/IR:H/AR:H', 6.3],
  ['AV:A/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/E:A/CR:H/IR:H/AR:H', 9.4],
  ['AV:A/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:L/SI:L/SA:L/E:A/CR:H/IR:H/AR:H', 8.7],
  ['AV:A/AC:L/AT:P/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/E:A/CR:H/IR:H/AR:H', 9],
  ['AV:A/AC:L/AT:P/PR:N/UI:N/VC:H/VI:H/VA:H/SC:L/SI:L/SA:L/E:A/CR:H/IR:H/AR:H', 7.7],
];

/**
 * Ties such as 5.65, which binary fractions miss by a small difference. FIRST's reference set and its later
 * library round them up, its own calculator (and Redoubt) down: 522 of the 104,976 base vectors.
 */
export const CVSS_4_TIES: readonly (readonly [vector: string, roundedUp: number])[] = [
  ['AV:L/AC:H/AT:P/PR:N/UI:A/VC:H/VI:N/VA:L/SC:L/SI:L/SA:L', 5.7],
  ['AV:L/AC:H/AT:P/PR:H/UI:N/VC:N/VI:L/VA:H/SC:N/SI:N/SA:N', 5.7],
  ['AV:L/AC:H/AT:P/PR:N/UI:A/VC:L/VI:L/VA:L/SC:H/SI:H/SA:H', 5],
  ['AV:N/AC:L/AT:N/PR:N/UI:P/VC:H/VI:L/VA:N/SC:H/SI:H/SA:H', 8.6],
];
