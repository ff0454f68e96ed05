import * as v from 'valibot';
import type { RawPage } from '../../answers/pages.ts';
import { isNameable } from '../../port/namedRef.ts';
import type { ProjectResource } from '../../port/project.ts';
import { cursorPage } from '../door/listed.ts';
import { pageOf, query } from '../door/operations.ts';

const resource = v.object({
	rid: v.string(),
	name: v.string(),
	owner: v.object({ canonicalName: v.string() }),
	repoType: v.optional(v.string(), 'GIT'),
});

/**
 * A page of a project's resources. Omits resources with unusable names, because names become targets, and repositories
 * of other kinds than Git.
 */
const resources = v.pipe(
	cursorPage(resource),
	v.transform((page): RawPage<ProjectResource> => ({
		...page,
		items: page.items
			.filter(({ repoType }) => repoType === 'GIT')
			.map(({ rid, name, owner }) => ({ rid, owner: owner.canonicalName, name }))
			.filter(isNameable),
	})),
);

const project = v.object({
	rid: v.string(),
	name: v.string(),
	sources: resources,
	trackers: resources,
	mailingLists: resources,
});

/** A project with its first 25 resources of each kind. */
export type ProjectPage = v.InferOutput<typeof project>;

const resourceFields = `rid
	name
	owner { # Entity
		canonicalName
	}`;
const sourceFields = `repoType ${resourceFields}`;

// The extension has no scope for projects: any token with this scope may call the project service.
const needs = { area: 'git', scope: 'info:read' } as const;

/** A user's projects (docs/protocol.md#projects); `undefined` for a user that the service doesn't know. */
export const listProjects = query(
	needs,
	[
		'Projects($owner: String!, $cursor: Cursor)',
		'user(username: $owner): User',
		'projects(cursor: $cursor): ProjectCursor',
	],
	pageOf(
		'Project',
		`rid
		name
		sources { # SourceRepoCursor
			${pageOf('SourceRepo', sourceFields)}
		}
		trackers { # TrackerCursor
			${pageOf('Tracker', resourceFields)}
		}
		mailingLists { # MailingListCursor
			${pageOf('MailingList', resourceFields)}
		}`,
	),
	cursorPage(project),
);

/** More of a project's repositories; `undefined` after its deletion. */
export const listSources = query(
	needs,
	[
		'ProjectSources($rid: ID!, $cursor: Cursor)',
		'project(rid: $rid): Project',
		'sources(cursor: $cursor): SourceRepoCursor',
	],
	pageOf('SourceRepo', sourceFields),
	resources,
);

/** More of a project's trackers. */
export const listProjectTrackers = query(
	needs,
	[
		'ProjectTrackers($rid: ID!, $cursor: Cursor)',
		'project(rid: $rid): Project',
		'trackers(cursor: $cursor): TrackerCursor',
	],
	pageOf('Tracker', resourceFields),
	resources,
);

/** More of a project's lists. */
export const listProjectLists = query(
	needs,
	[
		'ProjectLists($rid: ID!, $cursor: Cursor)',
		'project(rid: $rid): Project',
		'mailingLists(cursor: $cursor): MailingListCursor',
	],
	pageOf('MailingList', resourceFields),
	resources,
);
