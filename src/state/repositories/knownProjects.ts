import type { Clock } from '../../base/clock.ts';
import { SharedReads } from '../../base/sharedFlights.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { refText, type NamedRef } from '../../forge/namedRef.ts';
import {
	refOfResource,
	type Project,
	type ProjectApi,
	type ProjectPart,
	type ProjectResource,
} from '../../forge/project.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import type { OwnerName } from '../../forge/user.ts';
import type { KeptProjects } from './keptProjects.ts';

/** Which repositories, trackers and lists belong together, as the forge says it. */
export interface KnownProjects {
	/**
	 * The project that a repository is in. Each owner's are asked for once a day, whichever window does. `undefined` too where
	 * the forge cannot be asked, or does not tell: nothing stands on it.
	 */
	ofRepository(ref: RepositoryRef, signal: AbortSignal): Promise<Project | undefined>;
	/**
	 * The owner's projects that something is in, for who asks for them: throws where the forge does not tell. What was in none
	 * is asked for again: whoever asks may just have put it into one.
	 */
	having(part: ProjectPart, signal: AbortSignal): Promise<readonly Project[]>;
}

const minuteMs = 60_000;
const freshMs = 24 * 60 * minuteMs;
/** Nobody has put a thing into a project and come back by then. */
const justToldMs = minuteMs;
/** Whatever hindered it, it is not asked for again before. */
const failedMs = 30 * minuteMs;

interface Kept {
	readonly untilMs: number;
	readonly projects: readonly Project[];
	/** False where the forge could not be asked when it was asked last. */
	readonly isTold: boolean;
}

/** What is known of things themselves, each from its own service. Nothing of it is asked for. */
export interface KnownResources {
	/** `undefined` where nothing was read of it, or its service does not tell. */
	ridOf(part: ProjectPart): string | undefined;
	/** What it is called now. */
	refOf(kind: ProjectPart['kind'], rid: string): NamedRef | undefined;
}

export interface KnownProjectsParts {
	readonly api: ProjectApi;
	readonly clock: Pick<Clock, 'nowMs'>;
	readonly resources: KnownResources;
	/** Where they outlive the window; absent where they are not to. */
	readonly disk?: KeptProjects | undefined;
}

export function knownProjects({ api, clock, resources, disk }: KnownProjectsParts): KnownProjects {
	const known = new Map<OwnerName, Kept>();

	const reads = new SharedReads<readonly Project[]>();

	/** Whoever asks at the same time waits for the same answer. */
	function ask(owner: OwnerName, signal: AbortSignal): Promise<readonly Project[]> {
		const read = async (shared: AbortSignal): Promise<readonly Project[]> => {
			const projects = await api.projectsOf(owner, shared);
			known.set(owner, { untilMs: clock.nowMs() + freshMs, projects, isTold: true });
			disk?.keep(owner, projects);
			return projects;
		};
		return reads.read(owner, read, signal);
	}

	/** What is known of an owner, by this window or by one before it, for as long as that had known it. */
	async function keptOf(owner: OwnerName): Promise<Kept | undefined> {
		const before = known.has(owner) ? undefined : await disk?.of(owner);
		const own = known.get(owner);
		if (own !== undefined || before === undefined) {
			return own;
		}
		// A clock may have been put back since.
		const isFresh = Math.abs(clock.nowMs() - before.readAtMs) < freshMs;
		const kept = { untilMs: isFresh ? before.readAtMs + freshMs : 0, projects: before.value, isTold: isFresh };
		known.set(owner, kept);
		return kept;
	}

	async function projectsOf(owner: OwnerName, signal: AbortSignal): Promise<readonly Project[]> {
		const kept = await keptOf(owner);
		if (kept !== undefined && clock.nowMs() < kept.untilMs) {
			return kept.projects;
		}
		try {
			return await ask(owner, signal);
		} catch (error) {
			if (!isForgeError(error)) {
				throw error;
			}
			// What a token with the permission was told is not for one without.
			const projects = error.problem.kind === 'missingScope' ? [] : (kept?.projects ?? []);
			known.set(owner, { untilMs: clock.nowMs() + failedMs, projects, isTold: false });
			return projects;
		}
	}

	/** By what it is where both sides know that, and by what it is called, now or before, where not. */
	function isIn(parts: readonly ProjectResource[], { kind, ref }: ProjectPart): boolean {
		const rid = resources.ridOf({ kind, ref });
		const isNamed = (each: NamedRef | undefined): boolean => each !== undefined && refText(each) === refText(ref);
		return parts.some((each) =>
			rid === undefined ? isNamed(each) || isNamed(resources.refOf(kind, each.rid)) : each.rid === rid,
		);
	}

	/** As things are called here: the service of projects may not have heard of it, nor that a name is another thing's now. */
	function asCalled(kind: ProjectPart['kind'], parts: readonly ProjectResource[]): readonly ProjectResource[] {
		return parts
			.map((part) => ({ ...part, ...resources.refOf(kind, part.rid) }))
			.filter((part) => (resources.ridOf({ kind, ref: refOfResource(part) }) ?? part.rid) === part.rid);
	}

	function having(projects: readonly Project[], part: ProjectPart): readonly Project[] {
		return projects
			.filter((project) => isIn(resourcesOf(project, part.kind), part))
			.map(({ name, repositories, trackers, lists }) => ({
				name,
				repositories: asCalled('repository', repositories),
				trackers: asCalled('tracker', trackers),
				lists: asCalled('list', lists),
			}));
	}

	return {
		async having(part, signal) {
			const { owner } = part.ref;
			const kept = await keptOf(owner);
			const leftMs = kept?.isTold === true ? kept.untilMs - clock.nowMs() : 0;
			const found = kept && leftMs > 0 ? having(kept.projects, part) : [];
			const isEnough = found.length > 0 || leftMs > freshMs - justToldMs;
			return isEnough ? found : having(await ask(owner, signal), part);
		},
		async ofRepository(ref, signal) {
			return having(await projectsOf(ref.owner, signal), { kind: 'repository', ref })[0];
		},
	};
}

function resourcesOf(
	{ repositories, trackers, lists }: Project,
	kind: ProjectPart['kind'],
): readonly ProjectResource[] {
	return { repository: repositories, tracker: trackers, list: lists }[kind];
}
