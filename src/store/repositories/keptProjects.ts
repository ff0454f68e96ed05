import type { Clock } from '../../base/clock.ts';
import type { Project, ProjectResource } from '../../forge/port/project.ts';
import type { OwnerName } from '../../forge/port/user.ts';
import { listOf, text } from '../shared/keptFields.ts';
import { headBytes, keptReadings, type KeptTexts } from '../shared/keptReadings.ts';
import { fieldsOf } from '../../base/looseJson.ts';
import type { ReadOnce } from '../shared/listing.ts';

/** Disk cache of projects by owner. */
export interface KeptProjects {
	/** `undefined` for an unknown owner. Never rejects. */
	of(owner: OwnerName): Promise<ReadOnce<readonly Project[]> | undefined>;
	keep(owner: OwnerName, projects: readonly Project[]): void;
}

/** One file per owner. `hub`: the project service, part of the key. */
export function keptProjects(kept: KeptTexts, hub: string, clock: Pick<Clock, 'nowMs'>): KeptProjects {
	const readings = keptReadings(kept, clock);
	const nameOf = (owner: OwnerName): string => `projects ${owner} ${hub}`;
	return {
		of: (owner) => readings.read(nameOf(owner), (value) => listOf(value, projectOf)),
		keep: (owner, projects) => readings.keep(nameOf(owner), projects, headBytes * (projects.length + 1)),
	};
}

function projectOf(value: unknown): Project {
	const { name, repositories, trackers, lists } = fieldsOf(value);
	return {
		name: text(name),
		repositories: listOf(repositories, resourceOf),
		trackers: listOf(trackers, resourceOf),
		lists: listOf(lists, resourceOf),
	};
}

function resourceOf(value: unknown): ProjectResource {
	const { owner, name, rid } = fieldsOf(value);
	return { owner: text(owner), name: text(name), rid: text(rid) };
}
