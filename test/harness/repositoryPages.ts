import { PlainProblem } from './plainProblem.ts';

/** Web pages of a repository. */
interface RepositoryPages {
	readonly bugs: string;
	/** Files as pages, below this URL. */
	readonly content: string;
	/** Files as such, below this URL. */
	readonly raw: string;
}

/** Pages of a repository on sr.ht, GitHub or GitLab; other forges have other paths. */
export function repositoryPages({ href, protocol, host, pathname }: URL): RepositoryPages {
	if (protocol !== 'https:') {
		throw new PlainProblem(`${href} is no https URL. The marketplace takes no other pictures.`);
	}
	if (host === 'git.sr.ht') {
		return {
			bugs: `https://todo.sr.ht${pathname}`,
			content: `${href}/tree/HEAD/item`,
			raw: `${href}/blob/HEAD`,
		};
	}
	if (host === 'github.com') {
		return { bugs: `${href}/issues`, content: `${href}/blob/HEAD`, raw: `${href}/raw/HEAD` };
	}
	if (host === 'gitlab.com') {
		return { bugs: `${href}/-/issues`, content: `${href}/-/blob/HEAD`, raw: `${href}/-/raw/HEAD` };
	}
	throw new PlainProblem(`Nobody knows the pages of ${host}. Add them to test/harness/repositoryPages.ts.`);
}

/** The URL after `--repository`, if there is one. */
export function repositoryIn(args: readonly string[]): URL | undefined {
	const at = args.indexOf('--repository');
	const given = args[at + 1]?.replace(/\/$/, '');
	if (at === -1) {
		return undefined;
	}
	if (given === undefined || !URL.canParse(given)) {
		throw new PlainProblem(
			'Say where the repository is: npm run package -- --repository https://git.sr.ht/~owner/name',
		);
	}
	return new URL(given);
}
