/** Every text of the page that does not depend on the ticket, in the language of the editor. */
export interface TicketPageStrings {
	readonly copyReference: string;
	readonly copied: string;
	readonly openOnWeb: string;
	readonly editOnWeb: string;
	readonly assignOnWeb: string;
	readonly labelsOnWeb: string;
	readonly deleteOnWeb: string;
	readonly deleteTicket: string;
	readonly more: string;
	readonly labels: string;
	readonly editLabels: string;
	readonly findLabel: string;
	readonly noLabels: string;
	readonly assign: string;
	readonly people: string;
	readonly findPerson: string;
	readonly noPeople: string;
	readonly save: string;
	readonly cancel: string;
	readonly permissions: string;
	readonly inherited: string;
	readonly namedIn: string;
	readonly lookForNamings: string;
	readonly looking: string;
	readonly noNamings: string;
	readonly description: string;
	readonly noDescription: string;
	readonly timeline: string;
	readonly newestFirst: string;
	readonly oldestFirst: string;
	readonly order: string;
	readonly showOlder: string;
	readonly loading: string;
	readonly noEvents: string;
	readonly fresh: string;
	readonly oneFresh: string;
	/** With `{0}` for how many. */
	readonly severalFresh: string;
	readonly tryAgain: string;
	readonly quote: string;
	readonly editText: string;
	readonly title: string;
	readonly edit: string;
	readonly editComment: string;
	readonly editOnTheWeb: string;
	readonly yourComment: string;
	readonly commentPlaceholder: string;
	readonly write: string;
	readonly preview: string;
	readonly nothingToPreview: string;
	readonly comment: string;
	readonly chooseMove: string;
	readonly commentEmpty: string;
	readonly commentTooShort: string;
	readonly commentTooLong: string;
	readonly sending: string;
	/** A comment was sent, with another status or without. */
	readonly sent: string;
	/** A status was sent, without a comment. */
	readonly moved: string;
	readonly sendAgain: string;
	readonly lookAgain: string;
	readonly draftSaved: string;
	readonly sendKeys: string;
	readonly suggestions: string;
}
