import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagedReadme } from '../../harness/packagedReadme.ts';
import { root } from '../../harness/places.ts';

suite('the README of the package', () => {
	test('has no picture and no link that leads nowhere, and keeps all that is said', () => {
		const written = [
			'# Title',
			'',
			'![a picture](docs/images/a.png)',
			'',
			'See [the guide](docs/tickets.md), [below](#use) and [the web](https://forge.test/).',
			'',
			'## Try it',
			'',
			'`npm start`',
			'',
			'## Use',
			'',
			'Words.',
			'',
			'## Development',
			'',
			'[CONTRIBUTING.md](CONTRIBUTING.md)',
			'',
		].join('\n');
		assert.equal(
			packagedReadme(written),
			'# Title\n\nSee the guide, [below](#use) and [the web](https://forge.test/).\n\n## Try it\n\n**Forge: Try the Sample Forge** starts a whole small forge on your own machine and signs you in to it.\n\n## Use\n\nWords.\n\n## Guides\n\n**Forge: Help…** opens the guides to tickets, lists and repositories.\n',
		);
	});

	test('holds every other word of ours', () => {
		const readme = readFileSync(join(root, 'README.md'), 'utf8');
		const packaged = packagedReadme(readme);
		assert.doesNotMatch(packaged, /!\[|\]\((?!https?:|#)/);
		const headings = (text: string): readonly string[] => text.match(/^## .*/gm) ?? [];
		assert.deepEqual(
			headings(packaged).filter((heading) => heading !== '## Guides'),
			headings(readme).filter((heading) => heading !== '## Development'),
		);
	});
});
