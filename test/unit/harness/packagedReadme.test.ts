import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagedReadme } from '../../harness/packagedReadme.ts';
import { root } from '../../harness/places.ts';

suite('the README of the package', () => {
	test('has no pictures, dead links or sections about the repository', () => {
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
		assert.equal(
			packagedReadme(written),
			'# Title\n\nSee the guide, [below](#use) and [the web](https://forge.test/).\n\n## Use\n\nWords.\n\n## Guides\n\n**Forge: Help…** opens the guides.\n',
		);
	});

	test('keeps all other sections', () => {
		const readme = readFileSync(join(root, 'README.md'), 'utf8');
		const packaged = packagedReadme(readme);
		assert.doesNotMatch(packaged, /!\[|\]\((?!https?:|#)/);
		const headings = (text: string): readonly string[] => text.match(/^## .*/gm) ?? [];
		assert.deepEqual(
			headings(packaged).filter((heading) => heading !== '## Guides'),
			headings(readme).filter((heading) => !['## Development', '## More'].includes(heading)),
		);
	});
});
