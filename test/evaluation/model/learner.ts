import { BUCKETS } from '../../../src/analysis/model/features.ts';
import { scaleOf } from '../../../src/analysis/model/windows.ts';
import type { Bag } from './bags.ts';
import { shuffle } from './random.ts';

const ROUNDS = 3;
const PASSES = 2;
const RATE = 0.1;
const BIAS_RATE = 0.01;
const DECAY = 1e-3;
/** A window classified with this certainty teaches nothing more. */
const SURE = 0.995;
/** In the first round the malicious windows are unknown: those of small files are more likely than not. */
const SMALL_WINDOWS = 3;
const OF_LARGE = 0.5;
/** What a second window of a malicious file counts that already looks malicious. */
const SECOND = 0.3;
/** A clean content that looks even less malicious needs only its worst window shown. */
const PLAIN = -6;

interface Instance {
  readonly bag: Bag;
  readonly at: number;
  readonly weight: number;
}

/** Logistic regression with AdaGrad (Duchi, Hazan, Singer) on the buckets of windows. */
export class Learner {
  readonly weights = new Float32Array(BUCKETS);
  bias = -1;
  readonly #squares = new Float32Array(BUCKETS).fill(0.01);

  /** MI-SVM's way (Andrews, Tsochantaridis, Hofmann): train, take the worst window of each bag, train again. */
  train(bags: readonly Bag[], random: () => number): void {
    for (let round = 0; round <= ROUNDS; round++) {
      const instances = bags.flatMap((bag) =>
        round === 0 ? this.#first(bag, random) : this.#worst(bag, random),
      );
      for (let pass = 0; pass < PASSES; pass++) {
        shuffle(instances, random);
        for (const instance of instances) this.#learn(instance);
      }
    }
  }

  #first(bag: Bag, random: () => number): readonly Instance[] {
    const count = bag.to - bag.from;
    if (bag.isMalicious) {
      const weight = (bag.weight * (count <= SMALL_WINDOWS ? 1 : OF_LARGE)) / count;
      return Array.from({ length: count }, (_, index) => ({ bag, at: bag.from + index, weight }));
    }
    return Array.from({ length: Math.min(2, count) }, () => ({
      bag,
      at: Math.floor(random() * count),
      weight: bag.weight,
    }));
  }

  #worst(bag: Bag, random: () => number): readonly Instance[] {
    const scores: { at: number; score: number }[] = [];
    for (let at = bag.from; at < bag.to; at++) scores.push({ at, score: this.score(bag, at) });
    scores.sort((a, b) => b.score - a.score || a.at - b.at);
    const [first, second] = scores;
    if (first === undefined) return [];
    const instances: Instance[] = [{ bag, at: first.at, weight: bag.weight }];
    if (bag.isMalicious) {
      if (second !== undefined && second.score > 0)
        instances.push({ bag, at: second.at, weight: bag.weight * SECOND });
    } else if (scores.length > 2 && first.score > PLAIN) {
      instances.push({ bag, at: Math.floor(random() * scores.length), weight: bag.weight });
    }
    return instances;
  }

  score({ blocks }: Bag, at: number): number {
    const first = blocks[at] ?? NOTHING;
    const second = blocks[at + 1] ?? NOTHING;
    const sum = this.#sum(first) + this.#sum(second);
    return this.bias + sum * scaleOf(first.length + second.length);
  }

  #sum(block: Uint16Array): number {
    let sum = 0;
    for (let at = 0; at < block.length; at++) sum += this.weights[block[at] as number] as number;
    return sum;
  }

  #learn({ bag, at, weight }: Instance): void {
    const probability = 1 / (1 + Math.exp(-this.score(bag, at)));
    const wanted = bag.isMalicious ? 1 : 0;
    if (Math.abs(probability - wanted) < 1 - SURE) return;
    const slope = (probability - wanted) * weight;
    this.bias -= BIAS_RATE * slope;
    const first = bag.blocks[at] ?? NOTHING;
    const second = bag.blocks[at + 1] ?? NOTHING;
    const scaled = slope * scaleOf(first.length + second.length);
    for (const block of [first, second]) {
      for (let index = 0; index < block.length; index++) {
        const bucket = block[index] as number;
        const before = this.weights[bucket] as number;
        const gradient = scaled + DECAY * before;
        const squares = (this.#squares[bucket] as number) + gradient * gradient;
        this.#squares[bucket] = squares;
        this.weights[bucket] = before - (RATE * gradient) / Math.sqrt(squares);
      }
    }
  }
}

const NOTHING = new Uint16Array(0);
