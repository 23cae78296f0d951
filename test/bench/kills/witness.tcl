# A window of a real app: a field, a button and two places that count what they get. F8 ends a round: it tells the counts and begins anew.
wm title . Witness
wm geometry . 1000x500+100+100
fconfigure stdout -buffering line
text .field -width 100 -height 10
button .count -text Count -width 20 -height 3 -command {incr clicks}
label .from -text Here -width 20 -height 3 -relief raised
label .to -text There -width 20 -height 3 -relief raised
place .field -x 20 -y 20
place .count -x 20 -y 250 -width 200 -height 60
place .from -x 20 -y 350 -width 200 -height 60
place .to -x 600 -y 350 -width 200 -height 60

proc fresh {} {
  foreach each {clicks chords drags presses releases held begun lifted} { set ::$each 0 }
}
proc begin {} {
  if {!$::begun} { puts {"begun"} }
  set ::begun 1
}
proc told {} {
  set text [binary encode base64 [encoding convertto utf-8 [.field get 1.0 end-1c]]]
  puts "{\"text\":\"$text\",\"clicks\":$::clicks,\"chords\":$::chords,\"drags\":$::drags,\"presses\":$::presses,\"releases\":$::releases}"
  fresh
  .field delete 1.0 end
  focus -force .field
}
proc released {x y} {
  incr ::releases
  if {$::held && [winfo containing $x $y] eq ".to"} { incr ::drags }
  set ::held 0
}
fresh
bind all <ButtonPress> {begin; incr ::presses; set ::held [expr {"%W" eq ".from"}]}
bind all <ButtonRelease> {released %X %Y}
bind all <KeyPress> {begin}
# A key that stays down is repeated by the server, with a release and a press of the same time.
bind all <KeyRelease-F9> {set ::lifted %t}
bind all <Control-Shift-KeyPress-F9> {begin; if {%t != $::lifted} {incr ::chords}}
bind all <KeyPress-F8> {told}
# In front of what a field does with them by itself.
bindtags .field {.field Text . all}
focus -force .field
