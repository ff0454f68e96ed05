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

suite('the README of the package', () => {
	test('without a repository it has no pictures and no links to files', () => {
		assert.equal(
			packagedReadme(written, false),
			'# Title\n\nSee the guide, [below](#use) and [the web](https://forge.test/).\n\n## Use\n\nWords.\n\n## Guides\n\n**Forge: Help…** opens the guides, with pictures.\n',
		);
	});

	test('with a repository it lacks only the section for developers', () => {
		assert.equal(packagedReadme(written, true), written.replace(/\n## Development[^]*/, ''));
	});
});
