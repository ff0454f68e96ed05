import assert from 'node:assert/strict';
import { packagedManifest } from '../../harness/packagedManifest.ts';
import { repositoryIn, repositoryPages } from '../../harness/repositoryPages.ts';

const written = {
	name: 'desk',
	private: true,
	main: './dist/a.js',
	scripts: { test: 'node a' },
	dependencies: { undici: '1.0.0' },
	unheardOf: {},
	contributes: { commands: [] },
};

function packaged(repository?: URL): unknown {
	return JSON.parse(packagedManifest(written, repository));
}

suite('manifest of the package', () => {
	test('has only the listed fields', () => {
		assert.deepEqual(packaged(), { name: 'desk', main: './dist/a.js', contributes: { commands: [] } });
	});

	test('has the repository of the command line', () => {
		const at = 'https://git.sr.ht/~owner/desk';
		assert.deepEqual(packaged(repositoryIn(['--repository', `${at}/`])), {
			name: 'desk',
			main: './dist/a.js',
			contributes: { commands: [] },
			repository: { type: 'git', url: at },
			bugs: { url: 'https://todo.sr.ht/~owner/desk' },
			homepage: at,
		});
		assert.equal(repositoryIn([]), undefined);
	});

	test('builds the page addresses of three forges, and rejects other hosts and missing URLs', () => {
		const pages = (url: string): ReturnType<typeof repositoryPages> => repositoryPages(new URL(url));
		assert.deepEqual(pages('https://git.sr.ht/~a/b'), {
			bugs: 'https://todo.sr.ht/~a/b',
			content: 'https://git.sr.ht/~a/b/tree/HEAD/item',
			raw: 'https://git.sr.ht/~a/b/blob/HEAD',
		});
		assert.equal(pages('https://github.com/a/b').raw, 'https://github.com/a/b/raw/HEAD');
		assert.equal(pages('https://gitlab.com/a/b').content, 'https://gitlab.com/a/b/-/blob/HEAD');
		assert.throws(() => pages('https://forge.example/a/b'), /Nobody knows the pages of forge\.example/);
		assert.throws(() => pages('http://git.sr.ht/~a/b'), /no https URL/);
		for (const args of [['--repository'], ['--repository', 'no URL']]) {
			assert.throws(() => repositoryIn(args), /Say where the repository is/);
		}
	});
});
