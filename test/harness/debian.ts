import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { PlainProblem } from './plainProblem.ts';

const chromiumPaths = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Debian's Chromium without windows takes a fifth less time for a page. */
const windowless = 'chromium-headless-shell';
const windowlessPath = `/usr/bin/${windowless}`;

/** Lock between two first runs on a machine: apt-get waits for other installers, but not for an update of its lists. */
const installLock = '/var/lib/apt/lists';
const longestWaitS = 600;

/** Installs Debian packages, as root only. */
function aptInstall(packages: readonly string[]): void {
	if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) {
		return;
	}
	console.log(`Installing ${packages.join(' and ')} with apt-get (once)`);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	const apt = (...args: readonly string[]): void => {
		const command = ['apt-get', '-qq', '-o', `DPkg::Lock::Timeout=${longestWaitS}`, ...args];
		spawnSync('flock', [installLock, ...command], { env, stdio: ['ignore', 'ignore', 'inherit'] });
	};
	apt('update');
	apt('install', '-y', '--no-install-recommends', ...packages);
}

/** `whole` is the users' browser and can open windows. */
export type ChromiumKind = 'windowless' | 'whole';

/** The path of a Chromium; of the other kind where this one is missing, because both show the same pages. */
export function findChromium(kind: ChromiumKind): string | undefined {
	const paths = kind === 'whole' ? [...chromiumPaths, windowlessPath] : [windowlessPath, ...chromiumPaths];
	return [process.env['CHROMIUM_PATH'] ?? '', ...paths].find((path) => path !== '' && existsSync(path));
}

/** As `findChromium`, but installs a missing one. `CHROMIUM_PATH` names another one. */
export function ensureChromium(kind: ChromiumKind): string {
	const hasOwn = existsSync(process.env['CHROMIUM_PATH'] ?? '');
	if (kind === 'windowless' && !hasOwn && !existsSync(windowlessPath) && isOffered(windowless)) {
		aptInstall([windowless, 'fonts-liberation']);
	}
	if (findChromium(kind) === undefined) {
		aptInstall(['chromium', 'fonts-liberation']);
	}
	const found = findChromium(kind);
	if (found === undefined) {
		throw new PlainProblem(
			'Chromium is missing: install it with `sudo apt-get install chromium`, or set CHROMIUM_PATH.',
		);
	}
	return found;
}

function isOffered(name: string): boolean {
	return spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0;
}

/** Debian only recommends its Perl package; without it the program exits immediately. */
const gitSendEmailPackages = ['git-email', 'libmailtools-perl'] as const;

/** Runs the program, because an installed one may still fail. */
function hasGitSendEmail(): boolean {
	return (
		spawnSync('git', ['send-email', '--dump-aliases'], { stdio: 'ignore' }).status === 0 &&
		hasPerlModule('Mail::Address')
	);
}

function hasPerlModule(name: string): boolean {
	return spawnSync('perl', [`-M${name}`, '-e', '1'], { stdio: 'ignore' }).status === 0;
}

export function ensureGitSendEmail(): void {
	if (!hasGitSendEmail()) {
		aptInstall(gitSendEmailPackages);
	}
	if (!hasGitSendEmail()) {
		throw new PlainProblem(
			`\`git send-email\` is missing: install it with \`sudo apt-get install ${gitSendEmailPackages.join(' ')}\`.`,
		);
	}
}

export function ensureSigning(): void {
	const isThere = (program: string, ...args: readonly string[]): boolean =>
		spawnSync(program, args, { stdio: 'ignore' }).error === undefined;
	if (!isThere('gpg', '--version') || !isThere('ssh-keygen', '-?')) {
		aptInstall(['gnupg', 'openssh-client']);
	}
}

const publicInboxPackages = ['public-inbox', 'libsearch-xapian-perl'] as const;

/** The real archive server, with its search. */
export function ensurePublicInbox(): void {
	const isThere = (): boolean => existsSync('/usr/bin/public-inbox-httpd') && hasPerlModule('Search::Xapian');
	if (!isThere()) {
		aptInstall(publicInboxPackages);
	}
	if (!isThere()) {
		throw new PlainProblem(
			`public-inbox is missing: install it with \`sudo apt-get install ${publicInboxPackages.join(' ')}\`.`,
		);
	}
}
