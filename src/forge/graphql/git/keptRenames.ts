import type { Clock } from '../../../base/clock.ts';
import type { LearntFacts } from '../../port/learntFacts.ts';
import { isNameable, refText } from '../../port/namedRef.ts';
import type { RepositoryRef } from '../../port/repository.ts';
import { isKeptForADay } from '../door/keptForADay.ts';

/** Renamed repositories, old name to new, stored with the facts about the server. */
export interface KeptRenames {
	/** `undefined` a day after the last report, because the old name may belong to another repository by then. */
	of(from: RepositoryRef): RepositoryRef | undefined;
	learn(from: RepositoryRef, to: RepositoryRef): void;
	forget(from: RepositoryRef): void;
}

/** More renames than this push out the oldest. */
const mostNames = 200;
const written = /^renamed:([^/>\s]+)\/([^/>\s]+)>([^/>\s]+)\/([^/>\s]+)@(\d+)$/;

interface Rename {
	readonly from: string;
	readonly to: RepositoryRef;
	readonly learntMs: number;
	readonly fact: string;
}

export function keptRenames(learnt: LearntFacts, clock: Pick<Clock, 'nowMs'>): KeptRenames {
	const renames = new Map(learnt.all().flatMap((fact) => renameIn(fact).map((each) => [each.from, each] as const)));

	function forget(from: string): void {
		const rename = renames.get(from);
		if (rename) {
			renames.delete(from);
			learnt.learn(rename.fact, false);
		}
	}

	/** Expires renames of all repositories, because most old names are never looked up again. */
	function forgetOld(): void {
		const nowMs = clock.nowMs();
		for (const { from, learntMs } of renames.values()) {
			if (!isKeptForADay(learntMs, nowMs)) {
				forget(from);
			}
		}
	}

	return {
		of(from) {
			forgetOld();
			return renames.get(refText(from))?.to;
		},
		learn(from, to) {
			const name = refText(from);
			forgetOld();
			forget(name);
			[...renames.keys()].slice(0, 1 - mostNames).forEach(forget);
			const [rename] = renameIn(`renamed:${name}>${refText(to)}@${clock.nowMs()}`);
			if (rename) {
				renames.set(name, rename);
				learnt.learn(rename.fact, true);
			}
		},
		forget: (from) => forget(refText(from)),
	};
}

/** The store is untrusted: other programs can edit it. */
function renameIn(fact: string): readonly Rename[] {
	const [, fromOwner = '', fromName = '', owner = '', name = '', learntMs = ''] = written.exec(fact) ?? [];
	const from = { owner: fromOwner, name: fromName };
	const to = { owner, name };
	return isNameable(from) && isNameable(to) ? [{ from: refText(from), to, learntMs: Number(learntMs), fact }] : [];
}
