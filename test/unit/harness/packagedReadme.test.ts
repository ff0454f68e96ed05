import assert from 'node:assert/strict';
import { packagedReadme } from '../../harness/packagedReadme.ts';

const written = [
	'# Title',
	'',
	'![a picture](docs/images/a.png)',
	'',
	'See [the guide](docs/tickets.md), [below](#use) and [the web](https://forge.test/).',
	'',
	'## Use',
	'',
	'Words.',
	'',
	'[The permissions](docs/forges.md#permissions).',
	'',
	'[Guide to lists](docs/lists.md)',
	'',
	'## More',
	'',
	'- [Forges](docs/forges.md)',
	'',
	'## Development',
	'',
	'[CONTRIBUTING.md](CONTRIBUTING.md)',
	'',
].join('\n');

suite('README of the package', () => {
	test('has no pictures and no links to files without a repository', () => {
		assert.equal(
			packagedReadme(written, false),
			'# Title\n\nSee the guide, [below](#use) and [the web](https://forge.test/).\n\n## Use\n\nWords.\n\n## Guides\n\n**Forge: Help…** opens the guides, with pictures.\n',
		);
	});

	test('lacks only the section for developers with a repository', () => {
		assert.equal(packagedReadme(written, true), written.replace(/\n## Development[^]*/, ''));
	});
});
