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

/** Files that were uploaded for a reference, as many as come at once (docs/protocol.md#graphql-files). */
const artifactFields = `
	artifacts { # ArtifactCursor
		cursor
		results { # Artifact
			created filename checksum size url
		}
	}`;

/** What git does not tell of a reference. */
export const describedFields = `
	name
	${artifactFields}`;

/** Its readers drop `HEAD`, which stands among the others. */
export const referenceFields = `
	target
	${describedFields}`;

/** The object of an entry is not asked for: the commit of a submodule is not there, and all would be null for it. */
export const treeFields = `
	id
	shortId
	entries { # TreeEntryCursor
		cursor
		results { # TreeEntry
			id name mode
		}
	}`;

/** What of a file comes with the answer itself. */
export const blobFields = `
	__typename
	id
	... on TextBlob { text }`;
