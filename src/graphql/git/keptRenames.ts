import type { Clock } from '../../base/clock.ts';
import type { LearntFacts } from '../../forge/learntFacts.ts';
import { isNameable, refText } from '../../forge/namedRef.ts';
import type { RepositoryRef } from '../../forge/repository.ts';

/** New names of repositories by their former ones, kept with what is known of the server. */
export interface KeptRenames {
	/** `undefined` where nobody told today: a name may belong to another repository by now. */
	of(from: RepositoryRef): RepositoryRef | undefined;
	learn(from: RepositoryRef, to: RepositoryRef): void;
	forget(from: RepositoryRef): void;
}

const dayMs = 86_400_000;
/** Of more former names nobody keeps track. */
const mostNames = 200;
const written = /^renamed:([^/>\s]+)\/([^/>\s]+)>([^/>\s]+)\/([^/>\s]+)@(\d+)$/;

interface Rename {
	readonly from: string;
	readonly to: RepositoryRef;
	readonly day: number;
	readonly fact: string;
}

export function keptRenames(learnt: LearntFacts, clock: Pick<Clock, 'nowMs'>): KeptRenames {
	const renames = new Map(learnt.all().flatMap((fact) => renameIn(fact).map((each) => [each.from, each] as const)));
	const today = (): number => Math.floor(clock.nowMs() / dayMs);

	function forget(from: string): void {
		const rename = renames.get(from);
		if (rename) {
			renames.delete(from);
			learnt.learn(rename.fact, false);
		}
	}

	return {
		of(from) {
			const rename = renames.get(refText(from));
			return rename?.day === today() ? rename.to : undefined;
		},
		learn(from, to) {
			const name = refText(from);
			forget(name);
			[...renames.keys()].slice(0, 1 - mostNames).forEach(forget);
			const [rename] = renameIn(`renamed:${name}>${refText(to)}@${today()}`);
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
	const [, fromOwner = '', fromName = '', owner = '', name = '', day = ''] = written.exec(fact) ?? [];
	const from = { owner: fromOwner, name: fromName };
	const to = { owner, name };
	return isNameable(from) && isNameable(to) ? [{ from: refText(from), to, day: Number(day), fact }] : [];
}
