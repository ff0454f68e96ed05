/*
 * Fragments of the repository service's documents, joined as text. A comment after each opening brace names the type
 * (`graphql`).
 */

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

/** The fields of a reference that Git doesn't have. */
export const describedFields = `
	name
	${artifactFields}`;

/** The list contains `HEAD`; callers drop it. */
export const referenceFields = `
	target
	${describedFields}`;

/**
 * Excludes `object`: a submodule's commit doesn't exist in the repository, and the error would make the whole answer
 * null.
 */
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

/** The fields of a file that the response itself contains. */
export const blobFields = `
	__typename
	id
	... on TextBlob { text }`;
