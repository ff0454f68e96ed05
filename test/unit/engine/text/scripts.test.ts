import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { scripts } from '../../../../src/engine/text/scripts.ts';

/** Prints the scripts of all characters with a property, one per line. Git needs Perl, which has Unicode’s data. */
const program = `
use Unicode::UCD 'charscript';
my %found;
for my $code (0 .. 0xD7FF, 0xE000 .. 0x1FFFF) {
	my $character = chr $code;
	my @kinds = (
		$character =~ /[\\p{Joining_Type=D}\\p{Joining_Type=R}\\p{Joining_Type=L}\\p{Canonical_Combining_Class=9}]/ ? 'joining' : (),
		$character =~ /\\p{Line_Break=SA}/ ? 'unspaced' : (),
		$character =~ /(?=\\p{L})[\\p{Bidi_Class=R}\\p{Bidi_Class=AL}]/ ? 'rightToLeft' : (),
	);
	$found{"$_ " . (charscript($code) // '')} = 1 for @kinds;
}
print "$_\\n" for keys %found;
`;

suite('scripts by Unicode property', () => {
	test('include every script that this runtime knows', () => {
		const pairs = execFileSync('perl', ['-e', program], { encoding: 'utf8' }).trim().split('\n');
		assert.ok(pairs.length > 60);
		for (const pair of pairs) {
			const [kind = '', script = ''] = pair.split(' ');
			if (/^(?:Common|Inherited|Unknown)?$/.test(script) || !(kind in scripts)) {
				continue;
			}
			const name = script.replaceAll(/_[a-z]/g, (part) => part.toUpperCase());
			const known =
				Object.entries(scripts)
					.find(([each]) => each === kind)?.[1]
					.split(' ') ?? [];
			assert.ok(known.includes(name), pair);
		}
	});

	test('are all valid script names', () => {
		for (const name of Object.values(scripts).join(' ').split(' ')) {
			assert.doesNotThrow(() => new RegExp(`\\p{Script_Extensions=${name}}`, 'u'), name);
		}
	});
});
