// A process that installs missing programs of tests, beside other stages.
import { neededChromium } from './browser.ts';
import { ensureCodeServer } from './codeServer.ts';
import { ensureChromium, ensureGitSendEmail, ensureSigning } from './debian.ts';
import { shownProblem } from './plainProblem.ts';

try {
	ensureGitSendEmail();
	ensureSigning();
	ensureChromium(neededChromium(process.env));
	ensureCodeServer();
} catch (error) {
	console.error(shownProblem(error));
	process.exitCode = 1;
}
