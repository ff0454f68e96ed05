import * as v from 'valibot';
import type { RawPage } from '../../answers/pages.ts';
import { isNameable } from '../../port/namedRef.ts';
import type { ProjectResource } from '../../port/project.ts';
import { cursorPage } from '../transport/listed.ts';
import { ofOwner, query } from '../transport/operations.ts';
import { selected } from '../transport/selection.ts';

const resource = {
	rid: v.string(),
	name: v.string(),
	owner: selected('Entity', { canonicalName: v.string() }),
};

type WireResource = v.InferOutput<v.ObjectSchema<typeof resource, undefined>> & { readonly repoType?: string };

/**
 * A page of a project's resources. Omits resources with unusable names, because names become targets, and repositories
 * of other kinds than Git.
 */
function resources(schema: v.GenericSchema<unknown, WireResource>) {
	return v.pipe(
		cursorPage(schema),
		v.transform((page): RawPage<ProjectResource> => ({
			...page,
			items: page.items
				.filter(({ repoType = 'GIT' }) => repoType === 'GIT')
				.map(({ rid, name, owner }) => ({ rid, owner: owner.canonicalName, name }))
				.filter(isNameable),
		})),
	);
}

const sources = resources(selected('SourceRepo', { repoType: v.optional(v.string(), 'GIT'), ...resource }));
const trackers = resources(selected('Tracker', resource));
const mailingLists = resources(selected('MailingList', resource));

const project = selected('Project', { rid: v.string(), name: v.string(), sources, trackers, mailingLists });

/** A project with its first 25 resources of each kind. */
export type ProjectPage = v.InferOutput<typeof project>;

// The extension has no scope for projects: any token with this scope may call the project service.
const needs = { area: 'git', scope: 'info:read' } as const;
const inProject = 'project(rid: $rid ID!): Project';
const fromCursor = '(cursor: $cursor Cursor)';

/** A user's projects (docs/protocol.md#projects); `undefined` for a user that the service doesn't know. */
export const listProjects = query(needs, 'Projects', [ofOwner, `projects${fromCursor}`], cursorPage(project));
/** More of a project's repositories; `undefined` after its deletion. */
export const listSources = query(needs, 'ProjectSources', [inProject, `sources${fromCursor}`], sources);
export const listProjectTrackers = query(needs, 'ProjectTrackers', [inProject, `trackers${fromCursor}`], trackers);
export const listProjectLists = query(needs, 'ProjectLists', [inProject, `mailingLists${fromCursor}`], mailingLists);
