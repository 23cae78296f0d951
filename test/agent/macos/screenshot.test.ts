
 RUN  v5.1.1 /work/w/testsa

 ✓ |long| test/agent-host/process.test.ts (13 tests) 23467ms
   ✓ a forked agent comes online and performs 2537ms
   ✓ rule 7: an agent killed in the middle of an action is lost at its end, before its silence tells, and the device is online again 2648ms
   ✓ an agent that crashes between an effect and its answer is lost; the effect is in the ledger, once 1068ms
   ✓ rule 7: a stopped agent is dead by silence, lost after the grace, and replaced 2982ms
   ✓ a cut link is mended with a fresh token, and what ran goes on 3160ms
   ✓ an agent whose parent is killed is gone, in the middle of an action that hears nothing and has a minute 3431ms
   ✓ stopping ends the agent in good order: what runs is handed back first 1192ms
   ✓ a stopped process is ended all the same 916ms
   ✓ an agent hears no Ctrl-C: its daemon ends it when the work is handed back 1187ms
   ✓ an agent that breaks answers what ran, says why in its log, and is replaced 2318ms
   ✓ a broken driver fails its actions and the agent lives 1061ms
   ✓ the token is in no argument, no environment and no log of the agent 950ms
 ✓ |long| test/services/rail.test.ts (48 tests) 19130ms
   ✓ profiles (13)
     ✓ a screenshot under observe is blocked 549ms
     ✓ a screenshot under trusted is running 306ms
     ✓ a profile for everybody applies to whom none was assigned 337ms
     ✓ the person’s own profile, with a rule, outlives a restart 537ms
     ✓ a rate cap counts this user’s submissions of the last minute 398ms
     ✓ a submission may name a narrower profile, and never a wider one 329ms
     ✓ a built-in one cannot be changed, and one in use not be removed 357ms
     ✓ a change of the rules voids a prompt that was given under the old ones 462ms
     ✓ a change of the rules calls off what was let through under the old ones and not sent 415ms
     ✓ what waits for the agent is judged by the rules there are when it comes 424ms
   ✓ grants (11)
     ✓ are offered with the literal words of what they would allow 320ms
     ✓ are never offered for good for what cannot be undone 326ms
     ✓ let exactly the same through, count their uses, and nothing else 385ms
     ✓ cover the same look in another form or with less in it 314ms
     ✓ of one user do not serve another 405ms
     ✓ end at their time, and unused ones before that 366ms
     ✓ for this run end with it, those for good do not 408ms
     ✓ revoked take effect at once, also for what was let through and not yet sent 476ms
     ✓ that ended between acceptance and dispatch send nothing 377ms
   ✓ flood control (10)
     ✓ an action of the same type and target is denied without a prompt until ten minutes after a denial 365ms
     ✓ a denial does not cover another target, type, device or user 301ms
     ✓ a denial is remembered over a restart 367ms
     ✓ three denials in a row pause the requester, end its prompts, and only the person resumes it 478ms
     ✓ ten denials among the last fifty answers pause it too, whatever stands between 656ms
     ✓ the person is called six times a minute and twenty an hour at most 1566ms
     ✓ only the first prompt of the queue can be shown 325ms
     ✓ everything one user waits for can be denied at once, and that user paused 309ms
   ✓ who is paused, or waits for the person, is listed however many have asked since 346ms
   ✓ the emergency stop (6)
     ✓ refuses what is new, ends what waits, cancels what runs, and stays over a restart 488ms
     ✓ tells the agent to stop even where the disk is full 479ms
     ✓ calls off what was not sent even where the storage took only the wish to cancel it 317ms
     ✓ holds for what an earlier run left behind 436ms
     ✓ stops a submission that was waiting for the agent 305ms
   ✓ a user key (2)
     ✓ is needed from the moment it is made until it is removed 366ms
   ✓ the event stream (4)
     ✓ cannot be taken up again ten thousand events later 816ms
 ✓ |long| test/agent-host/link/link-rules.test.ts (122 tests) 6279ms
   ✓ the daemon end of the agent link over memory (61)
     ✓ attachments (17)
       ✓ rule 4: an attachment of the largest size arrives whole 361ms
     ✓ broken rules (21)
       ✓ W2: ten thousand answers in a second are no flood when each was asked for 356ms
   ✓ the daemon end of the agent link over web socket (61)
     ✓ attachments (17)
       ✓ rule 4: an attachment of the largest size arrives whole 1144ms
     ✓ broken rules (21)
       ✓ W2: ten thousand unasked messages a second are closed with 4429 376ms
       ✓ W2: a flood of results nobody asked for is reported a bounded number of times 318ms
       ✓ W2: ten thousand answers in a second are no flood when each was asked for 641ms
 ✓ |long| test/services/plan-approval.test.ts (38 tests) 13937ms
   ✓ a task with steps that need a yes (7)
     ✓ reads the whole plan a few times, however many of its steps begin to wait 783ms
     ✓ asks once for all of them when it is submitted, and runs what needs none meanwhile 459ms
     ✓ does every one of them on that one answer, in order 594ms
     ✓ is one prompt and one answer to Guardian, and nothing of it runs without a decision 421ms
     ✓ is refused when too many prompts of this user wait 452ms
   ✓ the answer to a plan (13)
     ✓ is held to the highest risk among its steps 340ms
     ✓ is never for task 385ms
     ✓ is never for minutes15 400ms
     ✓ is never for untilQuit 443ms
     ✓ is never for always 335ms
     ✓ counts for this very plan only, and only once 375ms
     ✓ no ends every step it was asked for as denied, and is remembered for each 478ms
     ✓ no is one denial to the breaker 449ms
   ✓ a step that ends without success says why (4)
     ✓ when the daemon was restarted, also after another restart 422ms
     ✓ when it asked alone and was denied 392ms
   ✓ an approved plan (6)
     ✓ is void when the rules change: what has not begun asks by itself 310ms
     ✓ does not outlive the daemon: what was not sent asks by itself 730ms
     ✓ that waits for its answer has expired after a restart 416ms
   ✓ a plan that was allowed 28740000 ms ago lets its steps through, or has them ask anew 504ms
   ✓ a step that a grant lets through when it is its turn does not wait for the plan, which is then asked about no more 317ms
   ✓ a list of prompts looks each history up once, however many steps they have 434ms
   ✓ an approved plan does not cover a step whose risk has risen since: the step asks by itself 381ms
 ✓ |long| test/shell/start-stories.test.ts (18 tests) 39973ms
   ✓ the first run, without permissions (2)
     ✓ leads the person to them, sees at once when they are given, and then works 3836ms
     ✓ at login opens no window by itself 1957ms
   ✓ an update that loses a grant (1)
     ✓ is told as that, with the command that makes macOS forget the grant of the version before 3703ms
   ✓ a program that is in no app is started again by electron 2076ms
   ✓ a second start (4)
     ✓ with a deep link brings the prompt forward 1873ms
     ✓ without one brings the dashboard forward 1798ms
     ✓ with a link that would approve brings nothing forward and is counted 1858ms
   ✓ what the app needs is taken (3)
     ✓ a port that a stranger has is named, and nothing of the stranger is opened 464ms
     ✓ by our own daemon in a terminal: its dashboard is offered and opened 1168ms
     ✓ a data folder that a daemon of ours holds on another port leads to that port, unless the person quits 1578ms
   ✓ an agent that crashes five times (2)
     ✓ is not started a sixth time: the icon says so, and the person can start it again 3774ms
     ✓ and one that cannot be started at all ends the same way 4123ms
   ✓ quitting (1)
     ✓ with an action under way brings it to its end, then the agent, then the store 4122ms
   ✓ the state of the screen (1)
     ✓ is asked at the start: while it is locked nothing is taken 2223ms
   ✓ a screen that somebody else has when the app starts (2)
     ✓ because it is locked, which only macOS tells: nothing is taken until the person is back 1970ms
     ✓ because another user has it, which only macOS tells: nothing is taken until the person is back 1951ms
   ✓ the stop shortcut (1)
     ✓ that another app has taken is told in the menu 1479ms
 ✓ |long| test/store/store.test.ts (37 tests) 18192ms
   ✓ a single writer (2)
     ✓ a second daemon is refused and told who holds the directory 2143ms
     ✓ a holder that was killed holds nothing any more 3195ms
   ✓ the database file (4)
     ✓ that is no database is moved aside, and a new one takes its place 368ms
     ✓ that takes the place of one moved aside is private at once, its WAL and SHM too 335ms
   ✓ the journal (22)
     ✓ verifies as it was written, across a restart too 382ms
     ✓ S3: shows that the database of an older day was put back with the anchor of today 390ms
     ✓ S3: shows that the database of an older day was put back without an anchor 407ms
     ✓ S3: shows that the database of an older day was put back after it had gone on elsewhere 471ms
     ✓ S4: shows that all of its rows were removed, with the anchor, beside records 338ms
     ✓ S4: shows that its key was removed, though no checkpoint was signed with it, and says so for good 348ms
     ✓ S4: shows that its key was replaced, though no checkpoint was signed with it, and says so for good 322ms
     ✓ is valid while it has no row and no anchor, as a crash before the first row leaves it 396ms
     ✓ is valid after a crash between its first row and the next anchor 3137ms
     ✓ is verified by a thread of its own, too 821ms
     ✓ can be pruned behind a signed checkpoint, and goes on verifying 349ms
 ✓ |long| test/services/sessions/sessions.test.ts (42 tests) 27370ms
   ✓ a sign-in code (10)
     ✓ after 499999 wrong ones: { key: Any<String> } 4710ms
     ✓ after 500000 wrong ones: { refused: 'rate_limited' } 4981ms
   ✓ a fresh sign-in code is good for as many wrong ones again 5854ms
   ✓ a session over a restart (15)
     ✓ goes on under the same key and id, as long as it was not idle for twelve hours 573ms
     ✓ A27: belongs to its page afterwards too, and a proof of the run before is refused 347ms
     ✓ A27: the numbers of a thousand calls need no more and more room, and none of them is good again 884ms
     ✓ ends when it is idle afterwards, and its listeners are told 1432ms
     ✓ ends when its code is entered again, with the sessions that came from it 374ms
     ✓ is taken up once: after a crash no session comes back, also none that was ended meanwhile 451ms
     ✓ a stolen copy of the data opens nothing: the key is not in it, and what is in it is no key 314ms
     ✓ a session with a short digest is not taken up 322ms
     ✓ one without a lineage, which no reused code could end is not taken up 302ms
   ✓ the list of sessions (6)
     ✓ says when each was opened and last used, until when it lives, and which one asks 378ms
 ✓ |long| test/http/openapi.test.ts (14 tests) 18829ms
   ✓ the description is OpenAPI 3.1 and calls itself 1.0 2667ms
   ✓ every route is described, with its problems, in terms of our records 847ms
   ✓ every operation says whose call it is, also where no id is needed, and the description names its license 732ms
   ✓ each operation that has a limit of size, number or time says so 746ms
   ✓ every operation has a name of its own, for generated clients 803ms
   ✓ every body, every part of a path and every main record comes with an example that is valid 2515ms
   ✓ a generator of clients finds the target of each reference, each part of a path, and a type for each answer 856ms
   ✓ the data of an action has the shape of the result of one of the action types, each of which has one 845ms
   ✓ an artifact is described as each of the media types that it can have 990ms
   ✓ whoever reads the description learns what Guardian tells of, in which unit, and what a query may ask 1054ms
   ✓ a call under a user id that is locked is described: its key, and what is said where it lacks 1067ms
   ✓ whatever changes something may be refused for its body, for too many of its kind, and for a full disk 1280ms
   ✓ every server describes the same routes 3388ms
   ✓ the comparison sees a wrong status, type, shape and code 966ms
 ✓ |long| test/own-daemon/command-line.test.ts (68 tests) 29110ms
   ✓ X16: the verb login (6)
     ✓ is not found by a caller with no key 1242ms
   ✓ a flood of others does not keep the person from the stop 397ms
   ✓ a daemon that says nothing is waited for within bounds 308ms
   ✓ a daemon that never ends its answer is waited for within bounds 307ms
   ✓ the key goes through no proxy of the environment 1958ms
   ✓ X23: an agent that asked the person gets no code and no end of the stop, and may stop everything 974ms
   ✓ X23: an agent that became another program after it asked gets no code and no end of the stop, and may stop everything 425ms
   ✓ X23: an agent whose file has another name by then gets no code and no end of the stop, and may stop everything 471ms
   ✓ X23: a command that such an agent starts gets no code and no end of the stop, and may stop everything 482ms
   ✓ X14: one that took the connection over gets no code and no end of the stop, and may stop everything 305ms
   ✓ X14: one that the daemon started gets no code and no end of the stop, and may stop everything 374ms
   ✓ real processes (4)
     ✓ X14: a child of the daemon gets no code, and none is made 2521ms
     ✓ X14: a grandchild of the daemon gets no code, and none is made 3869ms
     ✓ X14: a child of the daemon cannot end the stop, and may stop everything 4922ms
     ✓ a program that the daemon did not start gets a code 2895ms
 ✓ |long| test/services/call-offs.test.ts (24 tests) 13082ms
   ✓ a removed device with more waiting actions than one slice ends (3)
     ✓ ends a hundred within the call, and the others in later turns 825ms
     ✓ sends none of them when places become free, even if they are not recorded as ended yet 745ms
     ✓ goes on after a restart in the middle: all end with the same words, and none is sent 832ms
   ✓ a paused user with more waiting actions than one slice ends (3)
     ✓ ends a hundred within the call, and the others in later turns 663ms
     ✓ sends none of them when places become free, even if they are not recorded as ended yet 636ms
     ✓ goes on after a restart in the middle: all end with the same words, and none is sent 987ms
   ✓ changed rules with more waiting actions than one slice ends (3)
     ✓ ends a hundred within the call, and the others in later turns 525ms
     ✓ sends none of them when places become free, even if they are not recorded as ended yet 438ms
     ✓ goes on after a restart in the middle: all end with the same words, and none is sent 673ms
   ✓ a revoked grant with more waiting actions than one slice ends (3)
     ✓ ends a hundred within the call, and the others in later turns 645ms
     ✓ sends none of them when places become free, even if they are not recorded as ended yet 512ms
     ✓ goes on after a restart in the middle: all end with the same words, and none is sent 794ms
   ✓ an action that was not called off (4)
     ✓ of another user is sent while the actions of a paused user are being ended 418ms
     ✓ is sent: an action submitted after a change of the rules is judged by the new ones, and waits for nothing 482ms
     ✓ counts against no quota: a user whose five hundred waiting actions were called off may submit at once 697ms
     ✓ after a restart runs as before, although an action before it was called off 415ms
   ✓ the parts of a removed device (2)
     ✓ that run are told to stop before anything else is recorded, each once 325ms
     ✓ that ask can no longer be allowed, even if they are not recorded as ended yet 377ms
   ✓ the steps of a task (3)
     ✓ that go on after a failure are refused together, and nothing of them is sent 310ms
     ✓ that another step depends on are refused before it is looked at 302ms
   ✓ the prompts of a user that are denied together can be allowed no more, and end in later turns 374ms
   ✓ when the storage refuses (2)
     ✓ the reason, nothing is called off and the waiting actions go on 313ms
     ✓ the ends alone, the call is answered, nothing is sent, and all end once the storage takes it 391ms
 ✓ |long| test/launch/launch.test.ts (26 tests) 15115ms
   ✓ the launcher (6)
     ✓ runs a script on the bundled Node, with its folder first on PATH, in a folder with a space 829ms
     ✓ keeps the memory heaps of threads few, unless the person wants another number 1524ms
     ✓ ends with the exit code of the script 764ms
     ✓ runs a tool of node_modules without the links of node_modules/.bin 615ms
     ✓ runs the script of --after first, and the other one only when that succeeds 1560ms
     ✓ runs the first of several scripts that is there once --after has run 1521ms
   ✓ npm start (6)
     ✓ no flag of the daemon makes Node compile its own modules at each start 765ms
     ✓ no flag of the agent makes Node compile its own modules at each start 923ms
   ✓ a signal to the launcher (4)
     ✓ SIGINT is passed on, and the script decides how to end 872ms
     ✓ SIGTERM is passed on, and the script decides how to end 726ms
     ✓ SIGHUP is passed on, and the script decides how to end 745ms
     ✓ that ends the script ends the launcher by the same signal 641ms
   ✓ without a Node to run on, the launcher says what to do: (8)
     ✓ nothing is installed 302ms
     ✓ npm left the optional packages out 362ms
     ✓ the installed one is too old 316ms
     ✓ the system has no libatomic.so.1, which Node needs 335ms
     ✓ a script that ends with 127 is not taken for a Node that cannot be started 669ms
   ✓ a Node that is new enough, but not the one the project asks for, runs with a warning 553ms
 ✓ |long| test/http/control-violations.test.ts (14 tests) 8319ms
   ✓ a wrong user key is counted, the right one is not 646ms
   ✓ a sign-in code that is made up is counted; one of ours that was replaced, is too old, or led to a session that is over is not 698ms
   ✓ a sign-in code that is entered again while its session is open is counted 498ms
   ✓ a code that was made long before many others is a made-up one, so that they need no more and more room 536ms
   ✓ a link that was followed from elsewhere is refused as ever, and not counted; what a page can do by itself is 503ms
   ✓ a session key that nobody was given is counted; none at all, and one of a daemon before, are not 746ms
   ✓ an agent that shows a token a second time is counted 360ms
   ✓ foreign hosts, origins and sites are counted, all of a flood of them 380ms
   ✓ an answer to an attempt that was answered, or never asked for, is counted 479ms
   ✓ an honest answer that comes when its attempt was given up is written down, and not counted 439ms
   ✓ an answer for another digest or nonce is counted; one that comes after the rules changed is not 609ms
   ✓ an answer in the name of a user is counted, with the session key of the person too 458ms
   ✓ a journal that does not verify is counted 1225ms
   ✓ what the person allows, once or with a grant, is no violation 660ms
 ✓ |long| test/services/records/contents-quota.test.ts (11 tests) 4236ms
   ✓ the steps and the answer of a task count, and are forgotten once the task has ended 846ms
   ✓ beyond the quota of a user the oldest artifacts are removed with their files, and answer 410 350ms
   ✓ at the quota the pages of forgotten results are used again, and a restart knows what is kept 1406ms
 ✓ |long| test/shell/boot.test.ts (40 tests) 2425ms
   ✓ the icon (4)
     ✓ pauses and resumes everything 313ms
   ✓ the stop shortcut (1)
     ✓ stops everything from any app: nothing new is taken and what waits is ended 302ms
 ✓ |long| test/services/console-series.test.ts (16 tests) 6744ms
   ✓ has the value of each part and its usual range at the same time of the days before 564ms
   ✓ has no usual range with fewer than eight earlier days, or where the range was not asked for 479ms
   ✓ knows what is usual from the 28 days before: after 5 actions on each of the days 20 to 28 before, it goes to 5 623ms
   ✓ knows what is usual from the 28 days before: after 5 actions on each of the days 29 to 40 before, it goes to 0 624ms
   ✓ has usual ranges of parts below an hour over three hours at most: three hours 319ms
   ✓ shows at once what happens after it was asked for 329ms
   ✓ breaks a metric down by requester, type and device, with names that look like properties of objects 317ms
   ✓ has a breakdown of every metric but the readiness of the one agent 440ms
   ✓ breaks tasks down by requester: those that succeeded, ended, or were stopped by the person 394ms
   ✓ leaves a task that failed by a denial out of those that could have succeeded 382ms
   ✓ breaks hasty approvals down by requester, type and device, as the metric counts them 319ms
   ✓ breaks prompts down by requester, type and device, plans among them 333ms
   ✓ breaks the answered prompts down into the share that was allowed 498ms
   ✓ lists the twenty largest parts and says how many more there are 607ms
 ✓ |long| test/agent-host/link/link-life.test.ts (44 tests) 2020ms
   ✓ the life of a link over memory (14)
     ✓ rule 7: an agent that answers pings is not dead, however little it says 454ms
   ✓ the life of a link over web socket (14)
     ✓ rule 7: an agent that answers pings is not dead, however little it says 484ms
 ✓ |long| test/http/guardian.test.ts (78 tests) 45263ms
   ✓ on an empty database all 23 metrics are there, in order, and nothing is told that is not known 2500ms
   ✓ on an empty database the answer is whole, and as described: GET /api/guardian/metrics 975ms
   ✓ on an empty database the answer is whole, and as described: GET /api/guardian/metrics?window=24h&type=action_rate,confirmation_prompt_rate 584ms
   ✓ on an empty database the answer is whole, and as described: GET /api/guardian/metrics/action_rate/series?points=12 592ms
   ✓ on an empty database the answer is whole, and as described: GET /api/guardian/tee/metrics 720ms
   ✓ on an empty database the answer is whole, and as described: GET /api/guardian/tee/metrics?window=7d 800ms
   ✓ on an empty database the answer is whole, and as described: GET /api/guardian/tee/metrics?window=7d&by=hour,user,type,risk,status 611ms
   ✓ on an empty database the answer is whole, and as described: GET /api/guardian/tee/actions 679ms
   ✓ on an empty database the answer is whole, and as described: GET /api/guardian/tee/actions?since=1h&limit=5 610ms
   ✓ on an empty database the answer is whole, and as described: GET /api/guardian/tee/tasks 713ms
   ✓ on an empty database the answer is whole, and as described: GET /api/guardian/trends 1085ms
   ✓ on an empty database the answer is whole, and as described: GET /api/guardian/trends?all=true 935ms
   ✓ on an empty database the answer is whole, and as described: GET /api/guardian/insights 817ms
   ✓ on an empty database the answer is whole, and as described: GET /api/guardian/insights?severity=high,critical&category=oversight&actionable=true 670ms
   ✓ on an empty database the answer is whole, and as described: GET /api/guardian/dashboard 816ms
   ✓ on an empty database the answer is whole, and as described: GET /api/guardian/dashboard?window=1h 839ms
   ✓ on an empty database a window of 1m has all 23 metrics in order, with nothing claimed 744ms
   ✓ on an empty database a window of 5m has all 23 metrics in order, with nothing claimed 710ms
   ✓ on an empty database a window of 15m has all 23 metrics in order, with nothing claimed 827ms
   ✓ on an empty database a window of 1h has all 23 metrics in order, with nothing claimed 721ms
   ✓ on an empty database a window of 6h has all 23 metrics in order, with nothing claimed 733ms
   ✓ on an empty database a window of 24h has all 23 metrics in order, with nothing claimed 700ms
   ✓ on an empty database a window of 7d has all 23 metrics in order, with nothing claimed 805ms
   ✓ on an empty database a window of 30d has all 23 metrics in order, with nothing claimed 817ms
   ✓ on an empty database a window of 90d has all 23 metrics in order, with nothing claimed 690ms
   ✓ an empty dashboard has its whole shape 603ms
   ✓ nobody needs to name a user, and the answer is as described: GET /api/guardian/metrics 549ms
   ✓ nobody needs to name a user, and the answer is as described: GET /api/guardian/metrics?window=24h&type=action_rate,confirmation_prompt_rate 438ms
   ✓ nobody needs to name a user, and the answer is as described: GET /api/guardian/metrics/action_rate/series?points=12 405ms
   ✓ nobody needs to name a user, and the answer is as described: GET /api/guardian/tee/metrics 467ms
   ✓ nobody needs to name a user, and the answer is as described: GET /api/guardian/tee/metrics?window=7d 406ms
   ✓ nobody needs to name a user, and the answer is as described: GET /api/guardian/tee/metrics?window=7d&by=hour,user,type,risk,status 520ms
   ✓ nobody needs to name a user, and the answer is as described: GET /api/guardian/tee/actions 362ms
   ✓ nobody needs to name a user, and the answer is as described: GET /api/guardian/tee/actions?since=1h&limit=5 399ms
   ✓ nobody needs to name a user, and the answer is as described: GET /api/guardian/tee/tasks 317ms
   ✓ nobody needs to name a user, and the answer is as described: GET /api/guardian/trends 479ms
   ✓ nobody needs to name a user, and the answer is as described: GET /api/guardian/trends?all=true 374ms
   ✓ nobody needs to name a user, and the answer is as described: GET /api/guardian/insights 387ms
   ✓ nobody needs to name a user, and the answer is as described: GET /api/guardian/insights?severity=high,critical&category=oversight&actionable=true 447ms
   ✓ nobody needs to name a user, and the answer is as described: GET /api/guardian/dashboard 510ms
   ✓ nobody needs to name a user, and the answer is as described: GET /api/guardian/dashboard?window=1h 505ms
   ✓ where the caller names no number of points, two hours are cut into 60 parts 440ms
   ✓ what is counted is what happened 387ms
   ✓ actions are grouped by what they have in common, over 10m 535ms
   ✓ actions are grouped by what they have in common, over 7d 422ms
   ✓ nothing of what was typed, opened, read or claimed, and no user id: GET /api/guardian/metrics 459ms
   ✓ nothing of what was typed, opened, read or claimed, and no user id: GET /api/guardian/metrics?window=24h&type=action_rate,confirmation_prompt_rate 397ms
   ✓ nothing of what was typed, opened, read or claimed, and no user id: GET /api/guardian/metrics/action_rate/series?points=12 373ms
   ✓ nothing of what was typed, opened, read or claimed, and no user id: GET /api/guardian/tee/metrics 380ms
   ✓ nothing of what was typed, opened, read or claimed, and no user id: GET /api/guardian/tee/metrics?window=7d 388ms
   ✓ nothing of what was typed, opened, read or claimed, and no user id: GET /api/guardian/tee/metrics?window=7d&by=hour,user,type,risk,status 391ms
   ✓ nothing of what was typed, opened, read or claimed, and no user id: GET /api/guardian/tee/actions 356ms
   ✓ nothing of what was typed, opened, read or claimed, and no user id: GET /api/guardian/tee/actions?since=1h&limit=5 371ms
   ✓ nothing of what was typed, opened, read or claimed, and no user id: GET /api/guardian/tee/tasks 357ms
   ✓ nothing of what was typed, opened, read or claimed, and no user id: GET /api/guardian/trends 375ms
   ✓ nothing of what was typed, opened, read or claimed, and no user id: GET /api/guardian/trends?all=true 408ms
   ✓ nothing of what was typed, opened, read or claimed, and no user id: GET /api/guardian/insights 362ms
   ✓ nothing of what was typed, opened, read or claimed, and no user id: GET /api/guardian/insights?severity=high,critical&category=oversight&actionable=true 347ms
   ✓ nothing of what was typed, opened, read or claimed, and no user id: GET /api/guardian/dashboard 447ms
   ✓ nothing of what was typed, opened, read or claimed, and no user id: GET /api/guardian/dashboard?window=1h 536ms
   ✓ the log of tasks names their steps to their user, and nothing they are about 990ms
   ✓ step ids are pseudonyms to everybody else, the same in every answer of Guardian 1527ms
   ✓ a user is a pseudonym to others, and their own name to themselves and to the person 421ms
   ✓ a flood of prompts becomes one insight, which is found by its severity and category 548ms
   ✓ the person says that they know of an insight; nobody else can 457ms
   ✓ queries are forgiving, except where nothing can be made of them 387ms
   ✓ what cannot be read is refused in whole sentences: GET /api/guardian/metrics?window=soon 376ms
   ✓ what cannot be read is refused in whole sentences: GET /api/guardian/dashboard?from=1h 382ms
   ✓ what cannot be read is refused in whole sentences: GET /api/guardian/tee/metrics?to=1h&window=1h 454ms
   ✓ what cannot be read is refused in whole sentences: GET /api/guardian/metrics?from=2h&to=1h&window=1h 412ms
   ✓ what cannot be read is refused in whole sentences: GET /api/guardian/metrics?from=1h&to=2h 376ms
   ✓ what cannot be read is refused in whole sentences: GET /api/guardian/metrics?window=1h&window=2h 349ms
   ✓ what cannot be read is refused in whole sentences: GET /api/guardian/tee/actions?limit=none&since=soon 371ms
   ✓ what cannot be read is refused in whole sentences: GET /api/guardian/metrics?from=1785000000&to=1785003600 441ms
   ✓ what cannot be read is refused in whole sentences: GET /api/guardian/tee/tasks?since=2026-07-29T12:00:00.123456 425ms
   ✓ what cannot be read is refused in whole sentences: GET /api/guardian/insights?actionable=perhaps 426ms
   ✓ what cannot be read is refused in whole sentences: GET /api/guardian/metrics/nonsense/series 405ms
   ✓ a window between two moments is widened to minutes 370ms
 ✓ |long| test/services/tasks-sentences.test.ts (23 tests) 5493ms
   ✓ the size of a task (2)
     ✓ is what it has as it is stored, however short it was written 318ms
 ✓ |long| test/services/records/retention.test.ts (15 tests) 5121ms
   ✓ after 90 days an action is gone with its prompt, its task and its journal, and what is left is whole 339ms
   ✓ of more actions than may be kept the oldest are gone, with the journal of their time 321ms
   ✓ what was counted is kept by minutes for 35 days, by hours for a year, by days for five 1124ms
   ✓ a window on what is kept by hours or days alone is widened to them, at both of its edges 1016ms
   ✓ a window that is older than everything that is kept has no coverage 333ms
 ✓ |long| test/http/unread-answers.test.ts (11 tests) 12647ms
   ✓ a reader that takes no bytes is cut off, and one that takes them slowly reads all of them 1062ms
   ✓ a caller that waits longer than that for its answer is not cut off 710ms
   ✓ a connection stays open between two requests for as long as keep-alive says, and no longer 3134ms
   ✓ a user with too many unread bytes is refused until they are read; others are answered 1918ms
   ✓ an answer counts as unread from 64 KiB on 569ms
   ✓ no answer is built for a reader that was refused one, until it has read another 888ms
   ✓ a reader that was refused an answer gets one once it has read another, whatever others leave unread 1148ms
   ✓ where the unread answers of all users are too many, the one that waits longest is cut off 778ms
   ✓ an answer of 65535 bytes to a user with no room for it has status 200 637ms
   ✓ an answer of 65536 bytes to a user with no room for it has status 429 809ms
   ✓ a single answer is sent however large it is 942ms
 ✓ |long| test/services/insights.test.ts (12 tests) 9434ms
   ✓ an insight (5)
     ✓ is the same over restarts, seen since the first time, and resolved when it is over 779ms
     ✓ is found after the clock was set back 346ms
     ✓ that the person knows of stays known, over a restart too 561ms
     ✓ names a step that can be taken: who can be paused 427ms
     ✓ is still kept up to date where its row cannot be stored 459ms
   ✓ a mistyped sign-in code (2)
     ✓ is no insight and no risk, whether or not the right one follows 617ms
     ✓ is a warning when another wrong one follows for the same code 430ms
   ✓ the person (5)
     ✓ is not told of one or two refused requests 1012ms
     ✓ is told of an insight once, as an event of the console, in words of its own 800ms
     ✓ is told again when it gets worse, over a restart too 483ms
     ✓ is told of no more than three a day, over restarts too 3159ms
     ✓ is not told of what is only good to know 334ms
 ✓ |long| test/shell/prompt-stories.test.ts (17 tests) 9884ms
   ✓ a prompt while an app fills the screen (6)
     ✓ comes in a panel above it, on the display of the person, and leaves the keys where they are 437ms
     ✓ is answered at the panel, which then goes away with the notification 2631ms
   ✓ presence by Touch ID (8)
     ✓ is what the prompt of a high risk asks for 2044ms
     ✓ takes the place of the held press: any program can press 1125ms
   ✓ nobody at the screen (3)
     ✓ when the screen is locked the prompt expires and nothing is sent until the person is back 336ms
 ✓ |long| test/services/persons-answers.test.ts (9 tests) 5814ms
   ✓ the answers of the person (9)
     ✓ do not include a stop 490ms
     ✓ do not include an expiry 980ms
     ✓ do not include a locked screen 499ms
     ✓ do not include a withdrawal by the requester 452ms
     ✓ do not include a plan that became void 734ms
     ✓ do not include a pause of the requester 453ms
     ✓ are counted exactly between all the other ends 1391ms
     ✓ have a streak and pause the requester where all of them are denials 492ms
 ✓ |long| test/services/stop-slices.test.ts (8 tests) 5351ms
   ✓ the emergency stop with more unfinished work than one slice ends (7)
     ✓ tells the agent to stop running actions before it records anything 479ms
     ✓ answers before all is recorded as ended, tells the agent once, and ends the rest in later turns 537ms
     ✓ sends no queued action when a place becomes free, even if the action is not recorded as ended yet 446ms
     ✓ lets no prompt be answered, even if it is not recorded as ended yet 603ms
     ✓ is lifted only after everything has ended, so that nothing comes back 794ms
     ✓ stays when the person presses stop again while it is about to be lifted 1003ms
     ✓ is carried on after a restart in the middle, and sends nothing 870ms
   ✓ a locked screen holds every action at once and records them as expired in later turns 583ms
 ✓ |long| test/http/floods.test.ts (15 tests) 10512ms
   ✓ H15: a flood of silent connections is bounded, and health still answers 322ms
   ✓ H15: a flood of bodies that never end is bounded, and health still answers 461ms
   ✓ H15: a user who writes too often is told to wait, and others are not 897ms
   ✓ H15: made-up user ids do not get around the limit on all writes 1596ms
   ✓ H15: reads are bounded, and health still answers 2775ms
   ✓ H15: calls that wait are bounded for each user and in all 520ms
   ✓ H15: upgrades to bad URLs leave no connection behind 652ms
   ✓ the person can still sign in and decide while all writes are used up 435ms
   ✓ calls held although they did not ask for it are bounded for each user and in all; the rest is answered at once 753ms
   ✓ A12: made-up ids that take every stream leave a known requester those that are reserved 575ms
   ✓ A12: made-up ids that use up all writes and reads leave known requesters theirs 512ms
   ✓ calls without the key of a locked id use up nothing of its requester 429ms
 ✓ |long| test/guardian/recording/recording.test.ts (8 tests) 3471ms
   ✓ the rollups of random journals (5)
     ✓ answer for any window as a recount of the raw events does, percentiles within 2 % 1432ms
     ✓ count refusals by kind, denied plans, attempts without effect and cancels of the person as a recount does 784ms
     ✓ have some of each of these counts in one of forty journals, so that none is left out of the comparison 489ms
     ✓ have a value for every metric in some of these journals, so that none is left out of the comparison 356ms
     ✓ say null exactly where a recount finds fewer samples than the metric needs 365ms
 ✓ |long| test/shell/doors.test.ts (16 tests) 7517ms
   ✓ A2: an approval from outside the dashboard (4)
     ✓ by a link is refused and counted, and changes nothing 1118ms
     ✓ by the data of a second start is refused and counted, and changes nothing 1066ms
     ✓ by a notification is refused and counted, and changes nothing 1040ms
     ✓ before the daemon is up is counted when it is, and changes nothing 1083ms
   ✓ the person at the dashboard, after all that, is believed 1250ms
 ✓ |long| test/services/records/journal-verification.test.ts (9 tests) 12879ms
   ✓ finds a row that was edited behind the daemon soon after its start, without being asked 670ms
   ✓ looks again a day later, and finds what was edited since 970ms
   ✓ says once a day that the journal is broken, however often somebody looks, also after a restart 3662ms
   ✓ says of another break at once 1678ms
   ✓ does not take the row that says so for another break 1196ms
   ✓ adds nothing to what the daemon said of missing rows when it was started 2671ms
   ✓ leaves the daemon alone while it works, and a journal that is pruned meanwhile is whole 1120ms
   ✓ S3: finds that the anchor was removed while the daemon runs, and says so once 542ms
   ✓ S3: the daily check finds that the anchor was removed 317ms
 ✓ |long| test/store/limits.test.ts (9 tests) 2117ms
   ✓ 5,000 groups of actions are told apart, and no more 364ms
   ✓ 5,000 groups of actions of a moment ago are told apart, and no more 350ms
   ✓ the rows of the journal about an action (2)
     ✓ are looked for in the 20,000 rows after the first that can be one 678ms
 ✓ |long| test/services/warnings.test.ts (11 tests) 11138ms
   ✓ says that the agent is offline, since it went, until it is back 508ms
   ✓ says nothing of an agent that is being started 394ms
   ✓ says that everything is paused, since then, until the person resumes 506ms
   ✓ says which permission the person has to grant 410ms
   ✓ says of fifty paused requesters that they are, and of no more 807ms
   ✓ says whose requests are paused, since then, under the name its reader knows, however many have come since 555ms
   ✓ says at most of 50 requesters that they are paused, of 50 423ms
   ✓ says at most of 50 requesters that they are paused, of 51 349ms
   ✓ says since when a metric is beyond green, for each length of window by itself 753ms
   ✓ says since when a metric is beyond green where nobody had looked, while the daemon was up 2145ms
   ✓ says of a window that is over that a metric was beyond green no later than at its end, and forgets nothing of now 4200ms
 ✓ |long| test/shell/person-door.test.ts (6 tests) 2165ms
   ✓ a prompt that waits (1)
     ✓ is in the view, has a sentence, and takes a touch; one that does not wait has neither 499ms
   ✓ changes (1)
     ✓ are told soon, a burst of them not one by one, and not at all after the end 983ms
 ✓ |long| test/services/risk.test.ts (7 tests) 13406ms
   ✓ is critical at once, and holds its level for ten minutes after the score has fallen 977ms
   ✓ holds its level over a restart, and the time in which the daemon was down is no calm 1095ms
   ✓ of a day that is over says nothing about the level of now 498ms
   ✓ names what it comes from, how sure it is, and what it was before 2780ms
   ✓ knows what was before a window of which only hours are kept 4877ms
   ✓ of two windows that ended at the same time has a score for each 2993ms
 ✓ |long| test/services/housekeeping.test.ts (14 tests) 3506ms
   ✓ of the requesters that were allowed something, ten thousand are remembered 657ms
   ✓ of many requesters the latest hundred are listed 368ms
 ✓ |long| test/shell/power.test.ts (13 tests) 1552ms
   ✓ between lock-screen and unlock-screen a prompt expires and nothing is done 466ms
 ✓ |long| test/agent/files/swapped-folder.test.ts (4 tests) 11735ms
   ✓ F10: no byte from outside is read through a folder that is swapped with a link all the time 2786ms
   ✓ F10: no byte from outside is shown for judging 1939ms
   ✓ F10: no name from outside is listed or shown 4182ms
   ✓ F11: nothing outside is written, moved or trashed 2828ms
 ✓ |long| test/domain/scripts/hostile.test.ts (58 tests) 10702ms
   ✓ no text makes the analysis throw, and findings stay within the script 6575ms
 ✓ |long| test/store/bench-history.test.ts (2 tests) 4640ms
   ✓ the millions of the bench are counted as the daemon would have counted them, event by event 3029ms
   ✓ a week of the bench is copied with its counts to the weeks after it 1605ms
 ✓ |long| test/shell/crash-stories.test.ts (5 tests) 1371ms
 ✓ |long| test/renderer/visible-text.test.ts (31 tests) 33ms
Building the page, once.
Bundling the daemon, once.
