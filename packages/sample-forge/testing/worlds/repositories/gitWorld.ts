import type { Users } from '../../../src/shared/area.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { worldEndMs, worldStartMs } from '../worldTime.ts';
import type { Artifact, Visibility } from '../../../src/repositories/repositoryStore.ts';
import { createRepositoryDraft, type RepositoryDraft } from './repositoryDraft.ts';
import { tellDocs, tellPlugins, tellSmall, tellWick } from './companions.ts';
import { createCrew, type Crew } from './crew.ts';
import { createHistory, type History, type Line } from './history.ts';
import { tellLantern } from './lantern.ts';

/** Metadata of a sample repository, without its history. */
export interface WorldRepository {
	readonly name: `${string}/${string}`;
	readonly description: string | null;
	readonly visibility?: Visibility;
	/** Other users who may read a private repository. */
	readonly readers?: readonly string[];
	readonly artifacts?: readonly Artifact[];
	/** Days after the start of the world. */
	readonly startDay: number;
}

interface Plan extends WorldRepository {
	/** Maximum hours between two commits. */
	readonly stepHours: number;
	/** Null: an empty repository. `others`: commits of wick, oldest first; empty for wick. */
	readonly tell: ((history: History, others: readonly string[]) => Line) | null;
}

/** A repository with its objects. */
export interface ToldRepository {
	readonly draft: RepositoryDraft | null;
	/** Time of its last commit. */
	readonly updatedMs: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Creation time of a sample repository. */
export function createdMs({ startDay }: WorldRepository): number {
	return worldStartMs + startDay * dayMs;
}

/** A history of names that broke other programs. */
export interface OddNames {
	readonly tell: (history: History) => Line;
	/** `worldHash` of the world with this history. */
	readonly worldHash: string;
}

/** Creates all histories in the order of `worldRepositories`. Deterministic. `oddNames`: the history for tests. */
export function tellGitWorld(users: Users, oddNames: OddNames | undefined): readonly ToldRepository[] {
	const crew = createCrew(users);
	const wick = tell(plans.wick, crew, []);
	return worldRepositories.map((plan) => {
		if (plan === plans.wick) {
			return wick;
		}
		return tell(plan === plans.oddNames && oddNames ? { ...plan, tell: oddNames.tell } : plan, crew, wick.commits);
	});
}

const plans = {
	lantern: {
		name: 'alice/lantern',
		description: 'A *small* text editor for the terminal — see the [manual](doc/manual)',
		startDay: 1,
		stepHours: 62,
		artifacts: ['lantern-0.10.0.tar.gz', 'SHA256 sums.txt'].map((filename) => ({
			ref: 'refs/tags/v0.10.0',
			filename,
			createdMs: worldEndMs - 30 * dayMs,
			content: Buffer.from(`Stands in for ${filename}\n`),
		})),
		tell: tellLantern,
	},
	wick: {
		name: 'bob/wick',
		description: 'Reads syntax, **one keystroke** at a time',
		startDay: 3,
		stepHours: 230,
		tell: tellWick,
	},
	oddNames: {
		name: 'bob/odd-names',
		description: 'Names that software stumbles over: <b>&amp;</b> "quotes" 名前',
		startDay: 100,
		stepHours: 400,
		tell: (history) => tellSmall(history, 'bob', 'Odd names'),
	},
} satisfies Record<string, Plan>;

/** All sample repositories in the order of their ids, from 1. */
export const worldRepositories: readonly Plan[] = [
	plans.lantern,
	{
		name: 'alice/lantern-plugins',
		description: 'Plugins for Lantern',
		startDay: 40,
		stepHours: 240,
		tell: tellPlugins,
	},
	plans.wick,
	plans.oddNames,
	{
		name: 'bob/dotfiles',
		description: null,
		visibility: 'unlisted',
		startDay: 120,
		stepHours: 900,
		tell: (history) => tellSmall(history, 'bob', 'What I carry around'),
	},
	{
		name: 'alice/diary',
		description: 'Not for others',
		visibility: 'private',
		startDay: 150,
		stepHours: 900,
		tell: (history) => tellSmall(history, 'alice', 'Diary'),
	},
	{ name: 'alice/scratch', description: 'Nothing here yet', startDay: 160, stepHours: 1, tell: null },
	{
		name: 'bob/sketches',
		description: null,
		visibility: 'private',
		startDay: 170,
		stepHours: 900,
		tell: (history) => tellSmall(history, 'bob', 'Sketches'),
	},
	{
		name: 'bob/roadmap',
		description: 'Shared with a few',
		visibility: 'private',
		readers: ['alice'],
		startDay: 180,
		stepHours: 900,
		tell: (history) => tellSmall(history, 'bob', 'Where this may go'),
	},
	{
		name: 'carol/lantern-docs',
		description: 'The manual, chapter by chapter',
		startDay: 60,
		stepHours: 500,
		tell: tellDocs,
	},
];

interface Told extends ToldRepository {
	/** Oldest first. */
	readonly commits: readonly string[];
}

function tell(plan: Plan, crew: Crew, others: readonly string[]): Told {
	const madeMs = createdMs(plan);
	if (plan.tell === null) {
		return { updatedMs: madeMs, draft: null, commits: [] };
	}
	const draft = createRepositoryDraft();
	const random = createRandom(plan.startDay);
	const history = createHistory(draft, { crew, random, startS: madeMs / 1000, stepS: plan.stepHours * 3600 });
	const { head } = plan.tell(history, others);
	if (head !== undefined) {
		draft.ref('refs/heads/master', head);
	}
	const commits = [...draft.objects].flatMap(([id, { type }]) => (type === 'commit' ? [id] : []));
	return { updatedMs: history.nowS() * 1000, draft, commits };
}
