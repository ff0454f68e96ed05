import type { FindGit, GitRepository, GitState } from './gitApi.ts';

/** The addresses of a clone's remotes by their names, as git and ssh resolve them. */
export type RemotePlaces = (root: string, signal: AbortSignal) => Promise<ReadonlyMap<string, readonly string[]>>;

interface Resolved {
	/** The remotes as the editor reads them. */
	readonly written: string;
	readonly places: ReadonlyMap<string, readonly string[]>;
}

/** Adds resolved addresses to the editor's git. That one reads only the clone's own configuration. */
export function withPlaces(findGit: FindGit, placesOf: RemotePlaces): FindGit {
	const known = new Map<string, Resolved>();
	return async (signal) => {
		const git = await findGit(signal);
		const open = (git?.repositories ?? []).filter(({ rootUri }) => rootUri.scheme === 'file');
		await Promise.all(
			open.map(async ({ rootUri, state }) => {
				const root = rootUri.toString();
				const written = JSON.stringify(state.remotes);
				if (known.get(root)?.written !== written) {
					known.set(root, { written, places: await placesOf(rootUri.fsPath, signal) });
				}
			}),
		);
		return (
			git &&
			seenAs(git, (name) =>
				name === 'repositories'
					? { value: git.repositories.map((each) => resolvedRepository(each, known)) }
					: undefined,
			)
		);
	};
}

function resolvedRepository(repository: GitRepository, known: ReadonlyMap<string, Resolved>): GitRepository {
	const remotes = ({ remotes: written }: GitState): GitState['remotes'] => {
		const places = known.get(repository.rootUri.toString())?.places;
		return written.map((remote) => ({ ...remote, places: places?.get(remote.name) ?? [] }));
	};
	const state = seenAs(repository.state, (name) =>
		name === 'remotes' ? { value: remotes(repository.state) } : undefined,
	);
	return seenAs(repository, (name) => (name === 'state' ? { value: state } : undefined));
}

/** A view of another extension's object with some properties replaced. Methods run on the object itself. */
function seenAs<T extends object>(
	target: T,
	other: (name: string | symbol) => { readonly value: unknown } | undefined,
): T {
	return new Proxy(target, {
		get(of, name): unknown {
			const changed = other(name);
			const found: unknown = changed ? changed.value : Reflect.get(of, name);
			return typeof found === 'function'
				? (...args: readonly unknown[]): unknown => Reflect.apply(found, of, args)
				: found;
		},
	});
}
