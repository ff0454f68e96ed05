import type { Artifact, Commit, Reference, Repository, Signer } from '../../forge/repository.ts';
import { visibilities } from '../../forge/visibility.ts';
import { extraFieldOf, keptWord, listOf, maybe, shortUserOf, text, time, whole } from '../shared/keptFields.ts';
import { fieldsOf } from '../../base/looseJson.ts';

/* Decoders for repositories, references and commits from the disk cache. All throw on invalid values. */

export function repositoryOf(value: unknown): Repository {
	const { id, rid, createdMs, updatedMs, name, owner, subject, description, visibility, extra } = fieldsOf(value);
	return {
		id: whole(id),
		...(rid === undefined ? {} : { rid: text(rid) }),
		createdMs: time(createdMs),
		updatedMs: maybe(updatedMs, time),
		name: text(name),
		owner: maybe(owner, shortUserOf),
		subject: maybe(subject, text),
		description: maybe(description, text),
		visibility: keptWord(visibilities, visibility),
		...extraOf(extra),
	};
}

export function referenceOf(value: unknown): Reference {
	const { name, target, artifacts, hasMoreArtifacts, areArtifactsUnread, extra } = fieldsOf(value);
	return {
		name: text(name),
		target: text(target),
		...(artifacts === undefined ? {} : { artifacts: listOf(artifacts, artifactOf) }),
		...(hasMoreArtifacts === true ? { hasMoreArtifacts } : {}),
		...(areArtifactsUnread === true ? { areArtifactsUnread } : {}),
		...extraOf(extra),
	};
}

function artifactOf(value: unknown): Artifact {
	const { filename, createdMs, sizeBytes, checksum, url } = fieldsOf(value);
	return {
		filename: text(filename),
		createdMs: maybe(createdMs, time),
		sizeBytes: whole(sizeBytes),
		checksum: maybe(checksum, text),
		url: text(url),
	};
}

export function commitOf(value: unknown): Commit {
	const { id, shortId, author, committer, timestampMs, message, tree, parents, signature, extra } = fieldsOf(value);
	return {
		id: text(id),
		shortId: text(shortId),
		author: signerOf(author),
		committer: signerOf(committer),
		timestampMs: time(timestampMs),
		message: text(message),
		tree: text(tree),
		parents: listOf(parents, text),
		signature: maybe(signature, signatureOf),
		...extraOf(extra),
	};
}

function signerOf(value: unknown): Signer {
	const { name, email } = fieldsOf(value);
	return { name: text(name), email: text(email) };
}

function signatureOf(value: unknown): NonNullable<Commit['signature']> {
	if (value === 'untold') {
		return value;
	}
	const { signature, data } = fieldsOf(value);
	return { signature: text(signature), data: text(data) };
}

function extraOf(extra: unknown): Pick<Commit, 'extra'> {
	return extra === undefined ? {} : { extra: listOf(extra, extraFieldOf) };
}
