import { createHash } from 'node:crypto';
import type { Context } from '../shared/area.ts';
import { asciiJson, stamp } from '../shared/answers.ts';
import { modes, type Commit, type TreeEntry } from '../git/gitObjects.ts';
import type { ObjectSource, Ref } from '../git/objectSource.ts';
import type { Artifact, Repository } from './repositoryStore.ts';
import { showShortUser } from '../identity/users.ts';

/** Resources of the repository area in one dialect, with the observed field order. */
export type RepositoryShapes = ReturnType<typeof createRepositoryShapes>;

export function createRepositoryShapes({ dialect, origins }: Context) {
	const showEntry = ({ name, id, mode }: TreeEntry): object => ({ name, id, type: entryType(mode), mode });
	const entryType = (mode: number): string =>
		mode === modes.tree ? 'tree' : mode === modes.submodule && dialect.submoduleTypeCommit ? 'commit' : 'blob';
	return {
		repository: ({ id, createdMs, updatedMs, name, owner, description, visibility }: Repository) =>
			dialect.observedRepository
				? {
						id,
						created: stamp(createdMs),
						updated: stamp(updatedMs),
						name,
						owner: showShortUser(owner),
						description,
						visibility,
					}
				: { id, created: stamp(createdMs), subject: name, name, description, visibility },
		reference: (repository: Repository, { name, target }: Ref) => ({
			target,
			name,
			...(dialect.referencesHaveArtifacts ? { artifacts: showArtifacts(repository, name, origins.git) } : {}),
		}),
		async commit(source: ObjectSource, commit: Commit) {
			return {
				id: commit.id,
				short_id: await source.shortId(commit.id),
				author: { email: commit.author.email, name: commit.author.name },
				committer: { email: commit.committer.email, name: commit.committer.name },
				timestamp: stamp(commit.author.timeS * 1000),
				message: commit.message,
				tree: commit.tree,
				parents: commit.parents,
				signature: showSignature(commit),
			};
		},
		/** JSON text, cached with the repository. */
		async tree({ source, treeAnswers }: Repository, id: string) {
			const known = treeAnswers.get(id);
			if (known !== undefined) {
				return known;
			}
			const [entries, short_id] = await Promise.all([source.tree(id), source.shortId(id)]);
			const text = asciiJson({ id, short_id, entries: entries.map(showEntry) });
			treeAnswers.set(id, text);
			return text;
		},
	};
}

function showSignature({ signature }: Commit): object | null {
	return signature === null
		? null
		: { signature: Buffer.from(signature.text).toString('base64'), data: signature.payload.toString('base64') };
}

function showArtifacts(repository: Repository, ref: string, origin: string): readonly object[] {
	return repository.artifacts
		.filter((artifact) => artifact.ref === ref)
		.map(({ filename, createdMs, content }) => ({
			created: stamp(createdMs),
			checksum: `sha256:${createHash('sha256').update(content).digest('hex')}`,
			size: content.length,
			filename,
			url: `${origin}${artifactPath(repository, { ref, filename })}`,
		}));
}

/** Where the web offers a file of a tag. */
function artifactPath({ owner, name }: Repository, { ref, filename }: Pick<Artifact, 'ref' | 'filename'>): string {
	return `/~${owner.name}/${name}/refs/${encodeURIComponent(ref.replace('refs/tags/', ''))}/${encodeURIComponent(filename)}`;
}
