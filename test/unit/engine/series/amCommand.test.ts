import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { amCommand } from '../../../../src/engine/series/amCommand.ts';
import { counts, seed } from '../../../support/counts.ts';

suite('the command that applies a patchset', () => {
	test('is the one that the forge shows', () => {
		assert.equal(
			amCommand('https://lists.forge.test/~alice/devel/patches/12/mbox'),
			'curl -s https://lists.forge.test/~alice/devel/patches/12/mbox | git am -3',
		);
	});

	test('what a shell would take apart stands in quotes', () => {
		assert.equal(
			amCommand('https://forge.test/a;rm -rf $HOME/`id`?x=1&y=(2)'),
			"curl -s 'https://forge.test/a;rm%20-rf%20$HOME/%60id%60?x=1&y=(2)' | git am -3",
		);
		assert.equal(amCommand("https://forge.test/it's"), 'curl -s https://forge.test/it%27s | git am -3');
	});

	test('other schemes, names and passwords, and what is no address are refused', () => {
		for (const address of [
			'file:///etc/passwd',
			'ext::sh -c x',
			'-o /tmp/x',
			'https://a:b@forge.test/',
			'https://a@forge.test/',
			'',
		]) {
			assert.equal(amCommand(address), undefined, address);
		}
		assert.equal(amCommand(`https://forge.test/${'a'.repeat(5000)}`), undefined);
	});

	test('a shell hands the address over as it is, whatever stands in it', function () {
		this.timeout(60_000);
		const hostile = fc.array(
			fc.oneof(
				fc.constantFrom(
					"'",
					'"',
					'$(id)',
					'`id`',
					';',
					'|',
					'&',
					'\n',
					' ',
					'\\',
					'!',
					'*',
					'~',
					'#',
					'%27',
					'<',
					'>',
					'ü',
				),
				fc.string({ unit: 'binary', maxLength: 5 }),
			),
			{ maxLength: 12 },
		);
		const addresses = fc
			.sample(hostile, { numRuns: counts({ small: 300, full: 5000 }), seed: seed() })
			.map((parts) => `https://forge.test/${parts.join('').replaceAll('\0', '')}`);
		const words = addresses.map((each) => /^curl -s ([^]*) \| git am -3$/.exec(amCommand(each) ?? '')?.[1] ?? '');
		const script = words.map((word) => `printf '%s\\n' ${word}`).join('\n');
		const told = execFileSync('sh', ['-s'], { input: script, encoding: 'utf8', maxBuffer: 1e8 });
		assert.deepEqual(
			told.trimEnd().split('\n'),
			addresses.map((each) => URL.parse(each)?.href.replaceAll("'", '%27')),
		);
	});
});
