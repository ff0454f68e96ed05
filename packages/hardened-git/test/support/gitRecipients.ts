import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Reads a `--to` argument per line and prints its recipients, with the subroutines of `git send-email`. */
const program = String.raw`
my $source = do { local $/; open my $file, '<', shift or die; <$file> };
my $code = join "\n", $source =~ /^(use (?:lib|Git::LoadCPAN::Mail::Address)\b.*)$/mg, $source =~ /^(my \$re_(?:token|encoded_text|encoded_word) .*)$/mg;
for my $name (qw(parse_address_line extract_valid_address extract_valid_address_or_die unquote_rfc2047 quote_rfc2047
		is_rfc2047_quoted sanitize_address sanitize_address_list unique_email_list)) {
	$source =~ /^(sub $name \{.*?^\})/ms or die "git send-email has no $name";
	$code .= "\n$1";
}
eval "$code\n1" or die $@;
while (my $line = <STDIN>) {
	chomp $line;
	print join(' ', map { extract_valid_address($_) } unique_email_list(sanitize_address_list(parse_address_line($line)))), "\n";
}
`;

/** The recipients that `git send-email` finds in each argument. */
export function gitRecipients(people: readonly string[]): readonly string[] {
	const folder = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim();
	const input = people.map((person) => `${person}\n`).join('');
	const script = join(folder, 'git-send-email');
	const output = execFileSync('perl', ['-e', program, script], { input, encoding: 'utf8', maxBuffer: 100_000_000 });
	return output.trimEnd().split('\n');
}
