import type { Repository, Visibility } from '../../repositories/repositoryStore.ts';
import { FieldError } from '../engine.ts';
import { invalid } from '../refusals.ts';
import type { GitAsking } from './gitAsking.ts';
import { aclId, describeRepository, showAcl } from './repositoryShapes.ts';

type VisibilityWord = 'PUBLIC' | 'UNLISTED' | 'PRIVATE';

interface RepoInput {
	readonly name?: string | null;
	readonly description?: string | null;
	readonly visibility?: VisibilityWord | null;
	readonly readme?: string | null;
	readonly HEAD?: string | null;
}

/** Mutations of repositories and their access lists. */
export function repositoryMutations(asking: GitAsking): object {
	const { room, user, formerNames } = asking;
	const { store, context, hooks } = room;
	return {
		async createRepository({
			name,
			visibility,
			description = null,
			cloneUrl = null,
		}: {
			readonly name: string;
			readonly visibility: VisibilityWord;
			readonly description?: string | null;
			readonly cloneUrl?: string | null;
		}) {
			checkName(asking, name);
			if (cloneUrl !== null && (URL.parse(cloneUrl)?.host ?? '') === '') {
				throw invalid('Invalid clone URL', 'cloneUrl');
			}
			const createdMs = context.nowMs();
			const repository = await room.create({
				owner: user,
				name,
				description,
				visibility: readVisibility(visibility),
				createdMs,
			});
			hooks.changed('repo:create', repository);
			return describeRepository(asking, repository);
		},
		async updateRepository({ id, input }: { readonly id: number; readonly input: RepoInput }) {
			const { name, description, visibility, readme, HEAD } = input;
			const repository = own(asking, id);
			if (typeof name === 'string' && name !== repository.name) {
				checkName(asking, name, repository);
			}
			if (typeof HEAD === 'string') {
				// Throws before any change: an update is atomic.
				await setHead(asking, repository, HEAD);
			}
			if (typeof name === 'string' && name !== repository.name) {
				formerNames.set(`~${user.name}/${repository.name}`, repository);
				repository.name = name;
			}
			repository.description = description === undefined ? repository.description : description;
			repository.visibility = typeof visibility === 'string' ? readVisibility(visibility) : repository.visibility;
			repository.readme = readme === undefined ? repository.readme : readme;
			repository.updatedMs = context.nowMs();
			hooks.changed('repo:update', repository);
			// Servers answer null even after setting it.
			return { ...describeRepository(asking, repository), readme: null };
		},
		async deleteRepository({ id }: { readonly id: number }) {
			const repository = own(asking, id);
			const described = describeRepository(asking, repository);
			store.remove(repository);
			hooks.changed('repo:delete', repository);
			await repository.source.dispose();
			return described;
		},
		updateACL({
			repoId,
			mode,
			entity,
		}: {
			readonly repoId: number;
			readonly mode: 'RO' | 'RW';
			readonly entity: string;
		}) {
			const repository = own(asking, repoId);
			const somebody = context.users.byName(entity.replace(/^~/, ''));
			if (somebody === undefined || somebody === user || !entity.startsWith('~')) {
				throw invalid('No such user', 'entity');
			}
			const access = mode === 'RW' ? 'rw' : 'ro';
			repository.access.set(somebody.name, access);
			return showAcl(asking, repository, somebody.name, access);
		},
		deleteACL({ id }: { readonly id: number }) {
			for (const repository of store.all.filter(({ owner }) => owner === user)) {
				for (const [name, mode] of repository.access) {
					const somebody = context.users.byName(name);
					if (somebody !== undefined && aclId(repository, somebody) === id) {
						const shown = showAcl(asking, repository, name, mode);
						repository.access.delete(name);
						return shown;
					}
				}
			}
			throw notFound();
		},
	};
}

function own({ room, user }: GitAsking, id: number): Repository {
	const repository = room.store.all.find((each) => each.id === id && each.owner === user);
	if (repository === undefined) {
		throw notFound();
	}
	return repository;
}

function notFound(): FieldError {
	return new FieldError('Repository not found', { code: 'ERR_NOT_FOUND' });
}

async function setHead({ room }: GitAsking, { source, folder }: Repository, branch: string): Promise<void> {
	const name = `refs/heads/${branch}`;
	if (!(await source.refs()).some((each) => each.name === name)) {
		throw invalid('validation failed', 'HEAD');
	}
	await room.git.run(['--git-dir', `${room.root}/${folder}`, 'symbolic-ref', 'HEAD', name]);
}

function checkName({ room, user }: GitAsking, name: string, by?: Repository): void {
	if (!/^[A-Za-z0-9._-]+$/.test(name) || /^\.{1,2}$|^\.git$|^\.hg$/.test(name)) {
		throw invalid(`Invalid repository name '${name}' (must match ^[A-Za-z0-9._-]+$)`, 'name');
	}
	if (room.store.taken(user, name, by)) {
		throw invalid('A repository by this name already exists.', 'name');
	}
}

function readVisibility(word: VisibilityWord): Visibility {
	switch (word) {
		case 'PUBLIC': {
			return 'public';
		}
		case 'UNLISTED': {
			return 'unlisted';
		}
		case 'PRIVATE': {
			return 'private';
		}
	}
}
