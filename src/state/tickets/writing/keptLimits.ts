import type { LearntLimits } from './ticketWish.ts';
import type { KeptNames } from '../../shared/keptNames.ts';

const onlyResolvesAndReopens = 'onlyResolvesAndReopens';

/** What an account learnt about its forge, kept over restarts. */
export interface KeptLimits {
	now(): LearntLimits;
	learn(limits: LearntLimits): void;
}

/** Keeps the limits as names. What cannot be kept is still known until the window goes. */
export function keptLimits(names: KeptNames): KeptLimits {
	let limits: LearntLimits = { onlyResolvesAndReopens: names.all().includes(onlyResolvesAndReopens) };
	return {
		now: () => limits,
		learn(learnt) {
			if (learnt.onlyResolvesAndReopens !== limits.onlyResolvesAndReopens) {
				limits = learnt;
				names.keep(learnt.onlyResolvesAndReopens ? [onlyResolvesAndReopens] : []).catch(() => undefined);
			}
		},
	};
}
