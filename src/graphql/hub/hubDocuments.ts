import * as v from 'valibot';
import { isNameable } from '../../forge/namedRef.ts';
import type { NamedRef } from '../../forge/namedRef.ts';
import type { Project } from '../../forge/project.ts';
import { below } from '../door/below.ts';
import { cursorPage } from '../door/cursorPage.ts';
import { graphql } from '../door/document.ts';

/** Something of a project: its names become targets, so others are left out. */
const resources = v.pipe(
	v.object({
		results: v.array(
			v.object({ name: v.string(), owner: v.object({ canonicalName: v.string() }), repoType: v.optional(v.string()) }),
		),
	}),
	v.transform(({ results }): readonly NamedRef[] =>
		results
			.filter(({ repoType = 'GIT' }) => repoType === 'GIT')
			.map(({ name, owner }) => ({ owner: owner.canonicalName, name }))
			.filter(isNameable),
	),
);

const project = v.pipe(
	v.object({ name: v.string(), sources: resources, trackers: resources, mailingLists: resources }),
	v.transform(({ name, sources, trackers, mailingLists }): Project => ({
		name,
		repositories: sources,
		trackers,
		lists: mailingLists,
	})),
);

const resourceFields = `name
	owner { # Entity
		canonicalName
	}`;

/**
 * Projects of somebody with what is in them, up to 25 of a kind (docs/protocol.md#projects); `undefined` for who was never
 * seen there.
 */
export const listProjects = {
	// Whose token carries these is asked nothing else for it: services of projects have no scopes of ours.
	area: 'git',
	scope: 'info:read',
	document: graphql(`query Projects($owner: String!, $cursor: Cursor) { # Query
		user(username: $owner) { # User
			projects(cursor: $cursor) { # ProjectCursor
				cursor
				results { # Project
					name
					sources { # SourceRepoCursor
						results { # SourceRepo
							repoType
							${resourceFields}
						}
					}
					trackers { # TrackerCursor
						results { # Tracker
							${resourceFields}
						}
					}
					mailingLists { # MailingListCursor
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
