import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { refText, type NamedRef } from 'sourcehut/port/namedRef.ts';
import {
	type Project,
	type ProjectResource,
	refOfResource,
	type OwnersProjects,
	type ProjectApi,
	type ProjectPart,
} from 'sourcehut/port/project.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import { headBytes, keptReadings, type KeptTexts } from '../shared/keptReadings.ts';
import type { FieldsOf } from '../shared/keptText.ts';
import type { ReadOnce } from '../shared/listing.ts';

const resources = v.array(
	v.object({ owner: v.string(), name: v.string(), rid: v.string() } satisfies FieldsOf<ProjectResource>),
);
const projectsOf = v.parser(
	v.array(
		v.object({
			name: v.string(),
			repositories: resources,
			trackers: resources,
			lists: resources,
		} satisfies FieldsOf<Project>),
	),
);

export type KeptProjects = ReturnType<typeof keptProjects>;

/** Disk cache of projects, one file per owner. `hub`: the project service, part of the key. */
export function keptProjects(kept: KeptTexts, hub: string, clock: Clock) {
	const readings = keptReadings(kept, clock);
	const nameOf = (owner: OwnerName): string => `projects ${owner} ${hub}`;
	return {
		/** `undefined` for an unknown owner. Never rejects. */
		of: (owner: OwnerName): Promise<ReadOnce<readonly Project[]> | undefined> =>
			readings.read(nameOf(owner), projectsOf),
		keep: (owner: OwnerName, projects: readonly Project[]) =>
			readings.keep(nameOf(owner), projects, headBytes * (projects.length + 1)),
	};
}

const minuteMs = 60_000;
const freshMs = 24 * 60 * minuteMs;
/** Too short for the user to change a project and come back. */
const justToldMs = minuteMs;
/** After any failure, wait this long before the next request. */
const failedMs = 30 * minuteMs;

interface Kept {
	readonly untilMs: number;
	readonly projects: readonly Project[];
	/** False when the last request failed, or the forge left projects out. */
	readonly isTold: boolean;
}

/** Resource ids and names from the other services. No request. */
export interface KnownResources {
	/** `undefined` when unknown, or when the service reports no resource ids. */
	ridOf(part: ProjectPart): string | undefined;
	/** Current name. */
	refOf(kind: ProjectPart['kind'], rid: string): NamedRef | undefined;
}

export interface KnownProjectsParts {
	readonly api: ProjectApi;
	readonly clock: Clock;
	readonly resources: KnownResources;
	/** Disk cache; absent when nothing may be stored. */
	readonly disk?: KeptProjects | undefined;
}

/** Projects and their repositories, trackers and lists. */
export type KnownProjects = ReturnType<typeof knownProjects>;

export function knownProjects({ api, clock, resources, disk }: KnownProjectsParts) {
	const known = new Map<OwnerName, Kept>();

	const reads = new SharedReads<OwnersProjects>();

	/** Concurrent callers share one request. */
	function ask(owner: OwnerName, signal: AbortSignal): Promise<OwnersProjects> {
		const read = async (shared: AbortSignal): Promise<OwnersProjects> => {
			const told = await api.projectsOf(owner, shared);
			const { projects, isPart } = told;
			known.set(owner, { untilMs: clock.nowMs() + (isPart ? failedMs : freshMs), projects, isTold: !isPart });
			if (!isPart) {
				disk?.keep(owner, projects);
			}
			return told;
		};
		return reads.read(owner, read, signal);
	}

	/** From memory or disk; the disk entry keeps its original expiry. */
	async function keptOf(owner: OwnerName): Promise<Kept | undefined> {
		const before = known.has(owner) ? undefined : await disk?.of(owner);
		const own = known.get(owner);
		if (own !== undefined || before === undefined) {
			return own;
		}
		// The clock may have been set back.
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
			return (await ask(owner, signal)).projects;
		} catch (error) {
			if (!isForgeError(error)) {
				throw error;
			}
			// A token without the permission must not see data read with another token.
			const projects = error.problem.kind === 'missingScope' ? [] : (kept?.projects ?? []);
			known.set(owner, { untilMs: clock.nowMs() + failedMs, projects, isTold: false });
			return projects;
		}
	}

	/** Matches by resource id if both sides have one, otherwise by current or former name. */
	function isIn(parts: readonly ProjectResource[], { kind, ref }: ProjectPart): boolean {
		const rid = resources.ridOf({ kind, ref });
		const isNamed = (each: NamedRef | undefined): boolean => each !== undefined && refText(each) === refText(ref);
		return parts.some((each) =>
			rid === undefined ? isNamed(each) || isNamed(resources.refOf(kind, each.rid)) : each.rid === rid,
		);
	}

	/** Replaces names by the current ones: the project service may not know about renames. */
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
		/**
		 * The owner's projects that contain a resource. Rejects when the forge fails. A resource in no project triggers a
		 * new read, because the user may have just added it.
		 */
		async having(part: ProjectPart, signal: AbortSignal): Promise<OwnersProjects> {
			const { owner } = part.ref;
			const kept = await keptOf(owner);
			const leftMs = kept?.isTold === true ? kept.untilMs - clock.nowMs() : 0;
			const found = kept && leftMs > 0 ? having(kept.projects, part) : [];
			const isEnough = found.length > 0 || leftMs > freshMs - justToldMs;
			if (isEnough) {
				return { projects: found, isPart: false };
			}
			const { projects, isPart } = await ask(owner, signal);
			return { projects: having(projects, part), isPart };
		},
		/**
		 * The project of a repository. Reads each owner's projects once a day across all windows. `undefined` also when the
		 * forge fails: callers treat the project as optional.
		 */
		async ofRepository(ref: RepositoryRef, signal: AbortSignal) {
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
