import type { Clock } from '../../base/clock.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { refText } from '../../forge/namedRef.ts';
import { partsOfProject, type Project, type ProjectApi, type ProjectPart } from '../../forge/project.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import type { OwnerName } from '../../forge/user.ts';

/** Which repositories, trackers and lists belong together, as the forge says it. */
export interface KnownProjects {
	/**
	 * The project that a repository is in. Each owner's are asked for once a day. `undefined` too where the forge cannot be
	 * asked, or does not tell: nothing stands on it.
	 */
	ofRepository(ref: RepositoryRef, signal: AbortSignal): Promise<Project | undefined>;
	/** The owner's projects that something is in, for who asks for them: throws where the forge does not tell. */
	having(part: ProjectPart, signal: AbortSignal): Promise<readonly Project[]>;
}

const minuteMs = 60_000;
const freshMs = 24 * 60 * minuteMs;
/** Whatever hindered it, it is not asked for again before. */
const failedMs = 30 * minuteMs;

interface Kept {
	readonly untilMs: number;
	readonly projects: readonly Project[];
	/** False where the forge could not be asked when it was asked last. */
	readonly isTold: boolean;
}

export function knownProjects(api: ProjectApi, clock: Pick<Clock, 'nowMs'>): KnownProjects {
	const known = new Map<OwnerName, Kept>();

	async function ask(owner: OwnerName, signal: AbortSignal): Promise<readonly Project[]> {
		const projects = await api.projectsOf(owner, signal);
		known.set(owner, { untilMs: clock.nowMs() + freshMs, projects, isTold: true });
		return projects;
	}

	async function projectsOf(owner: OwnerName, signal: AbortSignal): Promise<readonly Project[]> {
		const kept = known.get(owner);
		if (kept !== undefined && clock.nowMs() < kept.untilMs) {
			return kept.projects;
		}
		try {
			return await ask(owner, signal);
		} catch (error) {
			if (!isForgeError(error)) {
				throw error;
			}
			const projects = kept?.projects ?? [];
			known.set(owner, { untilMs: clock.nowMs() + failedMs, projects, isTold: false });
			return projects;
		}
	}

	return {
		async having({ kind, ref }, signal) {
			const kept = known.get(ref.owner);
			const isFresh = kept?.isTold === true && clock.nowMs() < kept.untilMs;
			const projects = isFresh ? kept.projects : await ask(ref.owner, signal);
			const isSame = (part: ProjectPart): boolean => part.kind === kind && refText(part.ref) === refText(ref);
			return projects.filter((project) => partsOfProject(project).some(isSame));
		},
		async ofRepository(ref, signal) {
			const projects = await projectsOf(ref.owner, signal);
			return projects.find(({ repositories }) => repositories.some((each) => refText(each) === refText(ref)));
		},
	};
}
