import type { Clock } from '../../base/clock.ts';
import { fieldsOf } from '../../base/looseJson.ts';
import { refText } from '../../forge/port/namedRef.ts';
import type { Commit, Reference, Repository, RepositoryRef, Artifact, Signer } from '../../forge/port/repository.ts';
import { visibilities } from '../../forge/port/visibility.ts';
import { maybe, text, extraFieldOf, keptWord, listOf, shortUserOf, time, whole } from '../shared/keptFields.ts';
import { mostCharacters } from '../shared/keptListing.ts';
import { headBytes, keptReadings, type GroupedTexts, type KeptReadings } from '../shared/keptReadings.ts';
import type { KeptListing, ReadOnce } from '../shared/listing.ts';

/** Short name of the default branch; `undefined` when the forge cannot report one. */
export interface ReportedBranch {
	readonly name: string | undefined;
}

/** Disk cache of repositories, references and logs. Its data may be stale: show it only until the forge answers. */
export interface KeptRepositories {
	readonly own: KeptListing<Repository>;
	/** Never rejects. */
	repository(ref: RepositoryRef): Promise<ReadOnce<Repository> | undefined>;
	keepRepository(ref: RepositoryRef, repository: Repository): void;
	references(ref: RepositoryRef): KeptListing<Reference>;
	/** Never rejects. */
	branch(ref: RepositoryRef): Promise<ReadOnce<ReportedBranch> | undefined>;
	keepBranch(ref: RepositoryRef, reported: ReportedBranch): void;
	/** The newest commits of a revision. */
	log(ref: RepositoryRef, revision: string): KeptListing<Commit>;
	/** Commits never expire. Never rejects. */
	commit(ref: RepositoryRef, id: string): Promise<Commit | undefined>;
	keepCommit(ref: RepositoryRef, commit: Commit): void;
	/** Removes the cache of a deleted or forbidden repository. */
	drop(ref: RepositoryRef): void;
}

/** Names are short, and a repository may have thousands. */
const mostReferences = 3000;

/** One file per value, grouped by repository. */
export function keptRepositories(kept: GroupedTexts, clock: Pick<Clock, 'nowMs'>): KeptRepositories {
	const group = (ref: RepositoryRef): ReturnType<GroupedTexts['group']> => kept.group(refText(ref));
	const of = (ref: RepositoryRef): KeptReadings => keptReadings(group(ref), clock);

	return {
		own: keptReadings(kept, clock).listing('repositories', repositoryOf, {
			sizeOf: ({ description }) => about(description),
		}),
		repository: (ref) => of(ref).read(nameOf('repository', ref), repositoryOf),
		keepRepository: (ref, repository) =>
			keepShort(of(ref), nameOf('repository', ref), repository, about(repository.description)),
		references: (ref) => ({
			...of(ref).listing(nameOf('references', ref), referenceOf, {
				rows: mostReferences,
				sizeOf: ({ name, artifacts = [] }) => name.length + 100 + headBytes * artifacts.length,
			}),
			// An error on references means an error on the repository, so drop everything.
			drop: () => group(ref).dropAll(),
		}),
		branch: (ref) => of(ref).read(nameOf('branch', ref), reportedBranchOf),
		keepBranch: (ref, reported) => of(ref).keep(nameOf('branch', ref), reported),
		log: (ref, revision) => of(ref).listing(logName(ref, revision), commitOf, { sizeOf: sizeOfCommit }),
		async commit(ref, id) {
			const once = await of(ref).read(commitName(ref, id), commitOf);
			return once?.value.id === id ? once.value : undefined;
		},
		keepCommit: (ref, commit) => keepShort(of(ref), commitName(ref, commit.id), commit, sizeOfCommit(commit)),
		drop: (ref) => group(ref).dropAll(),
	};
}

function keepShort(readings: KeptReadings, name: string, value: Repository | Commit, characters: number): void {
	if (characters <= mostCharacters) {
		readings.keep(name, value, characters);
	}
}

function nameOf(kind: 'repository' | 'references' | 'branch', ref: RepositoryRef): string {
	return `${kind} ${refText(ref)}`;
}

function logName(ref: RepositoryRef, revision: string): string {
	return `log ${refText(ref)} ${revision}`;
}

function commitName(ref: RepositoryRef, id: string): string {
	return `commit ${refText(ref)} ${id}`;
}

function reportedBranchOf(value: unknown): ReportedBranch {
	return { name: maybe(fieldsOf(value)['name'], text) };
}

function about(words: string | undefined): number {
	return headBytes + (words?.length ?? 0);
}

function sizeOfCommit({ message, signature, parents }: Commit): number {
	const signed = typeof signature === 'object' ? signature.signature.length + signature.data.length : 0;
	return about(message) + signed + 40 * parents.length;
}

/* Decoders for repositories, references and commits from the disk cache. All throw on invalid values. */

function repositoryOf(value: unknown): Repository {
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

function referenceOf(value: unknown): Reference {
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

function commitOf(value: unknown): Commit {
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
