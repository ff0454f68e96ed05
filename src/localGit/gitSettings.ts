/** Overrides every configuration file; git may still ask for passwords. */
export function onMachine(devNull: string): readonly string[] {
	return [
		'core.fsmonitor=false',
		`core.hooksPath=${devNull}`,
		'core.pager=cat',
		'core.protectHFS=true',
		'core.protectNTFS=true',
		'diff.external=',
		`diff.orderFile=${devNull}`,
		'fetch.uriProtocols=',
		'gc.auto=0',
		'http.followRedirects=false',
		'i18n.logOutputEncoding=UTF-8',
		'init.templateDir=',
		'maintenance.auto=false',
		'protocol.ext.allow=never',
		'safe.bareRepository=explicit',
		'submodule.recurse=false',
		'transfer.bundleURI=false',
		'uploadpack.packObjectsHook=',
	];
}

/** Overrides every configuration file and never asks for passwords: public https reads need none, and ssh uses keys. */
export function everywhere(devNull: string): readonly string[] {
	return [...onMachine(devNull), 'core.askPass=', 'credential.helper='];
}

/** Additional overrides where a repository's configuration applies and no network is needed. */
const inClones: readonly string[] = [
	'commit.gpgSign=false',
	'core.alternateRefsCommand=false',
	'core.editor=false',
	'core.gitProxy=',
	'core.sshCommand=false',
	'gpg.program=false',
	'gpg.ssh.program=false',
	'log.showSignature=false',
	'protocol.allow=never',
];

/** Settings of all commands in a clone. */
export function inside(devNull: string): readonly string[] {
	return settings([...everywhere(devNull), ...inClones]);
}

/** As arguments in front of the git command. */
export function settings(all: readonly string[]): readonly string[] {
	return ['--no-pager', ...all.flatMap((setting) => ['-c', setting])];
}
