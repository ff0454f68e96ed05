import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { ExtraField } from 'sourcehut/port/extra.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type {
	Artifact,
	Commit,
	CommitSignature,
	Reference,
	Repository,
	RepositoryRef,
	Signer,
} from 'sourcehut/port/repository.ts';
import type { ShortUser } from 'sourcehut/port/user.ts';
import { visibilities } from 'sourcehut/port/visibility.ts';
import {
	mostCharacters,
	headBytes,
	keptReadings,
	type GroupedTexts,
	type KeptReadings,
	type TextGroup,
} from '../shared/keptReadings.ts';
import { keptWord, maybe, time, whole, type FieldsOf } from '../shared/keptText.ts';
import type { KeptListing, ReadOnce } from '../shared/listing.ts';

/** Names are short, and a repository may have thousands. */
const mostReferences = 3000;

export type KeptRepositories = ReturnType<typeof keptRepositories>;

/**
 * Disk cache of repositories, references and logs, one file per value, grouped by repository. Its data may be stale:
 * show it only until the forge answers. Reads never reject.
 */
export function keptRepositories(kept: GroupedTexts, clock: Clock) {
	const group = (ref: RepositoryRef): TextGroup => kept.group(refText(ref));
	const of = (ref: RepositoryRef): KeptReadings => keptReadings(group(ref), clock);

	return {
		own: keptReadings(kept, clock).listing<Repository>('repositories', repositoryOf, {
			sizeOf: ({ description }) => about(description),
		}),
		items: {
			read: (ref: RepositoryRef): Promise<ReadOnce<Repository> | undefined> =>
				of(ref).read(nameOf('repository', ref), repositoryOf),
			keep: (ref: RepositoryRef, repository: Repository): void =>
				keepShort(of(ref), nameOf('repository', ref), repository, about(repository.description)),
			drop: (ref: RepositoryRef): void => group(ref).dropAll(),
		},
		references: (ref: RepositoryRef): KeptListing<Reference> => ({
			...of(ref).listing(nameOf('references', ref), referenceOf, {
				rows: mostReferences,
				sizeOf: ({ name, artifacts = [] }) => name.length + 100 + headBytes * artifacts.length,
			}),
			// An error on references means an error on the repository, so drop everything.
			drop: () => group(ref).dropAll(),
		}),
		branch: (ref: RepositoryRef): Promise<ReadOnce<ReportedBranch> | undefined> =>
			of(ref).read(nameOf('branch', ref), v.parser(reportedBranch)),
		keepBranch: (ref: RepositoryRef, reported: ReportedBranch) => of(ref).keep(nameOf('branch', ref), reported),
		/** The newest commits of a revision. */
		log: (ref: RepositoryRef, revision: string): KeptListing<Commit> =>
			of(ref).listing(nameOf('log', ref, revision), commitOf, { sizeOf: sizeOfCommit }),
		/** Commits never expire. */
		async commit(ref: RepositoryRef, id: string): Promise<Commit | undefined> {
			const once = await of(ref).read(nameOf('commit', ref, id), commitOf);
			return once?.value.id === id ? once.value : undefined;
		},
		keepCommit: (ref: RepositoryRef, commit: Commit): void =>
			keepShort(of(ref), nameOf('commit', ref, commit.id), commit, sizeOfCommit(commit)),
	};
}

function keepShort(readings: KeptReadings, name: string, value: Repository | Commit, characters: number): void {
	if (characters <= mostCharacters) {
		readings.keep(name, value, characters);
	}
}

function nameOf(kind: string, ref: RepositoryRef, ...revision: readonly string[]): string {
	return [kind, refText(ref), ...revision].join(' ');
}

function about(words: string | undefined): number {
	return headBytes + (words?.length ?? 0);
}

function sizeOfCommit({ message, signature, parents }: Commit): number {
	const signed = typeof signature === 'object' ? signature.signature.length + signature.data.length : 0;
	return about(message) + signed + 40 * parents.length;
}

/* `satisfies` makes a field that a schema lacks a compile error: the disk cache would lose it silently. */

const extra = v.exactOptional(
	v.array(v.object({ name: v.string(), json: maybe(v.string()) } satisfies FieldsOf<ExtraField>)),
);

const repositoryOf = v.parser(
	v.object({
		id: whole,
		rid: v.exactOptional(v.string()),
		createdMs: time,
		updatedMs: maybe(time),
		name: v.string(),
		owner: maybe(v.object({ canonicalName: v.string(), name: v.string() } satisfies FieldsOf<ShortUser>)),
		subject: maybe(v.string()),
		description: maybe(v.string()),
		visibility: keptWord(visibilities),
		extra,
	} satisfies FieldsOf<Repository>),
);

const artifact = v.object({
	filename: v.string(),
	createdMs: maybe(time),
	sizeBytes: whole,
	checksum: maybe(v.string()),
	url: v.string(),
} satisfies FieldsOf<Artifact>);

const referenceOf = v.parser(
	v.object({
		name: v.string(),
		target: v.string(),
		artifacts: v.exactOptional(v.array(artifact)),
		hasMoreArtifacts: v.exactOptional(v.literal(true)),
		areArtifactsUnread: v.exactOptional(v.literal(true)),
		extra,
	} satisfies FieldsOf<Reference>),
);

const signer = v.object({ name: v.string(), email: v.string() } satisfies FieldsOf<Signer>);

const commitOf = v.parser(
	v.object({
		id: v.string(),
		shortId: v.string(),
		author: signer,
		committer: signer,
		timestampMs: time,
		message: v.string(),
		tree: v.string(),
		parents: v.array(v.string()),
		signature: maybe(
			v.union([
				v.literal('untold'),
				v.object({ signature: v.string(), data: v.string() } satisfies FieldsOf<CommitSignature>),
			]),
		),
		extra,
	} satisfies FieldsOf<Commit>),
);

/** Short name of the default branch; `undefined` when the forge cannot report one. */
const reportedBranch = v.object({ name: maybe(v.string()) });
export type ReportedBranch = v.InferOutput<typeof reportedBranch>;
