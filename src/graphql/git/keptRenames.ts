import type { Clock } from '../../base/clock.ts';
import type { LearntFacts } from '../../forge/learntFacts.ts';
import { isNameable, refText } from '../../forge/namedRef.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import { isKeptForADay } from '../door/keptForADay.ts';

/** New names of repositories by their former ones, kept with what is known of the server. */
export interface KeptRenames {
	/** `undefined` where nobody told for a day: a name may belong to another repository by now. */
	of(from: RepositoryRef): RepositoryRef | undefined;
	learn(from: RepositoryRef, to: RepositoryRef): void;
	forget(from: RepositoryRef): void;
}

/** Of more former names nobody keeps track. */
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

	/** Whoever's they are: of most nobody asks again. */
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

/** What is kept may have been changed by others. */
function renameIn(fact: string): readonly Rename[] {
	const [, fromOwner = '', fromName = '', owner = '', name = '', learntMs = ''] = written.exec(fact) ?? [];
	const from = { owner: fromOwner, name: fromName };
	const to = { owner, name };
	return isNameable(from) && isNameable(to) ? [{ from: refText(from), to, learntMs: Number(learntMs), fact }] : [];
}
