[% for helper in helpers %]
{{- /*
[[ helper.about ]]
*/}}
{{- define "[[ helper.name ]]" -}}
[[ helper.body ]]
{{- end }}
[% if not loop.last %]

[% endif %]
[% endfor %]
