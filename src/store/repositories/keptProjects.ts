import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import type { Project, ProjectResource } from '../../forge/port/project.ts';
import type { OwnerName } from '../../forge/port/user.ts';
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
		keep: (owner: OwnerName, projects: readonly Project[]): void =>
			readings.keep(nameOf(owner), projects, headBytes * (projects.length + 1)),
	};
}
