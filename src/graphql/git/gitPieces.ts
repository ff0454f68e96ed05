/*
 * What documents of the repository service ask for again and again. Pieces are put together as text, and each opening brace
 * says whose fields follow (`graphql`).
 */

/** A repository as it is shown. */
export const repositoryFields = `
	id
	rid
	created
	updated
	owner { # Entity
		canonicalName
	}
	name
	description
	visibility`;

/** The first page of a reference's release files (docs/protocol.md#graphql-files). */
const artifactFields = `
	artifacts { # ArtifactCursor
		cursor
		results { # Artifact
			created filename checksum size url
		}
	}`;

/** The part of a reference that git does not have. */
export const describedFields = `
	name
	${artifactFields}`;

/** Readers drop `HEAD`, which is listed among the others. */
export const referenceFields = `
	target
	${describedFields}`;

/** The object of an entry is not asked for: the commit of a submodule is not there, and all would be null for it. */
export const treeFieldsAt = (page: string): string => `
	id
	shortId
	entries${page} { # TreeEntryCursor
		cursor
		results { # TreeEntry
			id name mode
		}
	}`;

export const treeFields = treeFieldsAt('');

/** What of a file comes with the answer itself. */
export const blobFields = `
	__typename
	id
	... on TextBlob { text }`;
