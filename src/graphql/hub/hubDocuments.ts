import * as v from 'valibot';
import type { RawPage } from '../../answers/pagingWay.ts';
import { isNameable } from '../../forge/namedRef.ts';
import type { ProjectResource } from '../../forge/project.ts';
import { below } from '../door/below.ts';
import { cursorPage } from '../door/cursorPage.ts';
import { graphql } from '../door/document.ts';

const resource = v.object({
	rid: v.string(),
	name: v.string(),
	owner: v.object({ canonicalName: v.string() }),
	repoType: v.optional(v.string(), 'GIT'),
});

/** A page of what is in a project. Names become targets, so others are left out, and so is what is not of git. */
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

/** A project with up to 25 of each kind that is in it. */
export type ProjectPage = v.InferOutput<typeof project>;

const resourceFields = `rid
	name
	owner { # Entity
		canonicalName
	}`;

// Whose token carries these is asked nothing else for it: services of projects have no scopes of ours.
const needs = { area: 'git', scope: 'info:read' } as const;

/** Projects of somebody (docs/protocol.md#projects); `undefined` for who was never seen there. */
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

/** More of the repositories of a project; `undefined` when it is gone. */
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

/** The same of its trackers. */
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

/** The same of its lists. */
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
