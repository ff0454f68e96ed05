import * as v from 'valibot';
import type { RawPage } from '../../answers/pagingWay.ts';
import { isNameable } from '../../port/namedRef.ts';
import type { ProjectResource } from '../../port/project.ts';
import { below } from '../door/below.ts';
import { cursorPage } from '../door/cursorPage.ts';
import { graphql } from '../door/document.ts';

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

// The extension has no scope for projects: any token with this scope may call the project service.
const needs = { area: 'git', scope: 'info:read' } as const;

/** A user's projects (docs/protocol.md#projects); `undefined` for a user that the service doesn't know. */
export const listProjects = {
	...needs,
	document: graphql(`query Projects($owner: String!, $cursor: Cursor) { # Query
		user(username: $owner) { # User
			projects(cursor: $cursor) { # ProjectCursor
				cursor
				results { # Project
					rid
					name
					sources { # SourceRepoCursor
						cursor
						results { # SourceRepo
							repoType
							${resourceFields}
						}
					}
					trackers { # TrackerCursor
						cursor
						results { # Tracker
							${resourceFields}
						}
					}
					mailingLists { # MailingListCursor
						cursor
						results { # MailingList
							${resourceFields}
						}
					}
				}
			}
		}
	}`),
	read: below(['user', 'projects'], cursorPage(project)),
} as const;

/** More of a project's repositories; `undefined` after its deletion. */
export const listSources = {
	...needs,
	document: graphql(`query ProjectSources($rid: ID!, $cursor: Cursor) { # Query
		project(rid: $rid) { # Project
			sources(cursor: $cursor) { # SourceRepoCursor
				cursor
				results { # SourceRepo
					repoType
					${resourceFields}
				}
			}
		}
	}`),
	read: below(['project', 'sources'], resources),
} as const;

/** More of a project's trackers. */
export const listProjectTrackers = {
	...needs,
	document: graphql(`query ProjectTrackers($rid: ID!, $cursor: Cursor) { # Query
		project(rid: $rid) { # Project
			trackers(cursor: $cursor) { # TrackerCursor
				cursor
				results { # Tracker
					${resourceFields}
				}
			}
		}
	}`),
	read: below(['project', 'trackers'], resources),
} as const;

/** More of a project's lists. */
export const listProjectLists = {
	...needs,
	document: graphql(`query ProjectLists($rid: ID!, $cursor: Cursor) { # Query
		project(rid: $rid) { # Project
			mailingLists(cursor: $cursor) { # MailingListCursor
				cursor
				results { # MailingList
					${resourceFields}
				}
			}
		}
	}`),
	read: below(['project', 'mailingLists'], resources),
} as const;
